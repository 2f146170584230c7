type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the header `Link: <…>; rel="next"` [RFC 8288], which links to the list's next page: the same query with this `cursor`.
 * Returns no header for the last page, where the cursor is null or undefined.
 */
export function nextLink(
  path: string,
  query: Query,
  cursor: string | number | null | undefined,
): Readonly<Record<string, string>> {
  if (cursor === null || cursor === undefined) return {};
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  next.set('cursor', String(cursor));
  return { Link: `<${path}?${next.toString()}>; rel="next"` };
}
