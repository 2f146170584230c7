/** `Link: <…>; rel="next"` [RFC 8288] to the page at `position`, with the same other query. */
export function linkToNext(
  path: string,
  query: Record<string, string | number | undefined>,
  position: number,
): Record<string, string> {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  next.set('cursor', String(position));
  return { Link: `<${path}?${next.toString()}>; rel="next"` };
}
