/**
 * Returns the tags in `If-Match` or `If-None-Match` [RFC 9110, 8.8.3], such as `"1-2"`, `W/"1-2"` or `*`. Empty if the header was
 * not sent. A quoted tag may contain commas.
 */
export const tagsIn = (header: string | undefined): string[] => header?.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? [];

/** Returns a tag without the `W/` of weak tags, for weak comparison [RFC 9110, 8.8.3.2]. */
export const opaqueTag = (tag: string): string => tag.replace(/^W\//, '');

/** Returns true if the client already has the current version: `If-None-Match` contains `etag` (by weak comparison) or `*`. */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  tagsIn(ifNoneMatch).some((tag) => tag === '*' || opaqueTag(tag) === opaqueTag(etag));
