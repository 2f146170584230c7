type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the header `Link: <…>; rel="next"` [RFC 8288] for the page at `cursor`, with the same query. Empty on the last page.
 */
export function nextPageLink(path: string, query: Query, cursor: number | undefined): Record<string, string> {
  if (cursor === undefined) return {};
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  next.set('cursor', String(cursor));
  return { Link: `<${path}?${next.toString()}>; rel="next"` };
}
