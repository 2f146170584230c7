/** Returns the number of this page's build; empty if the page was not built, as in development. */
export const buildId = (): string => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '';
