/** The position of a change in its list. */
export type ChangePosition = { at: Date; id: string };

/** Returns the position that a page's cursor means; null for the first page. */
export function readPosition(cursor: string | undefined): ChangePosition | null {
  if (cursor === undefined) return null;
  const [at, id = ''] = cursor.split('-');
  return { at: new Date(Number(at)), id };
}

/** Divides `limit + 1` found changes into one page and the next page's cursor, which is null on the last page. */
export function toPage<C extends ChangePosition>(
  found: readonly C[],
  limit: number,
): { page: C[]; next: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next: last && found.length > limit ? `${last.at.getTime()}-${last.id}` : null };
}
