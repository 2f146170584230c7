import { problem } from '@comanda/shared/contracts/problems';

/** Where a page begins, as an opaque string. */
const toCursor = (position: number): string => Buffer.from(String(position)).toString('base64url');

/** The position that an earlier answer's cursor stands for. @throws 400 `validation_failed` */
export function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (/^[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw problem('validation_failed', {
    errors: [{ pointer: '/cursor', detail: 'is not a cursor of an earlier answer', in: 'query' }],
  });
}

/** `Link: <…>; rel="next"` [RFC 8288] to the page at `position`, with the same other query. */
export function linkToNext(
  path: string,
  query: Record<string, string | number | undefined>,
  position: number,
): Record<string, string> {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  next.set('cursor', toCursor(position));
  return { Link: `<${path}?${next.toString()}>; rel="next"` };
}
