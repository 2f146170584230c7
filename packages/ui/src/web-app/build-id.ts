/** The number of this page's build; empty if it was not built, as in development. */
export const buildId = (): string => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '';
