/** Returns the page's build number, or an empty string in development, where there is no build. */
export const buildId = (): string => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '';
