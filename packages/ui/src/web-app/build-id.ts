/** Returns this page's build number, or an empty string if the page was not built, as in development. */
export const buildId = (): string => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '';
