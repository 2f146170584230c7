/** The number of the build that this page is of; empty if it was not built, as in development. */
export const buildId = (): string => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '';
