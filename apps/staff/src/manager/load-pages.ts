type Pages<T> = AsyncIterable<readonly T[]>;
/** `size`: the maximum number of items per page. `count`: how many pages to load. */
type Wanted = { size: number; count: number };

/** Loads the first pages of a list. `hasMore` is true if the last of them is full, and there may be another one. */
export async function loadPages<T>(
  pages: Pages<T>,
  { size, count }: Wanted,
): Promise<{ items: T[]; hasMore: boolean }> {
  const items: T[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length >= size * count) return { items, hasMore: page.length === size };
  }
  return { items, hasMore: false };
}
