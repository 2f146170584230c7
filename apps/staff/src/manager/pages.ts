import { signal } from '@preact/signals';

type Pages<T> = AsyncGenerator<readonly T[], void, undefined>;
type Replacement<T> = { item: T; isSame: (each: T) => boolean };

const replaceIn = <T>(items: readonly T[], { item, isSame }: Replacement<T>): T[] =>
  items.map((each) => (isSame(each) ? item : each));

/** A list that is loaded page by page, each when the user asks for it. A page with less than `pageSize` items is the last one. */
export function createPages<T>(open: () => Pages<T>, pageSize: number) {
  const list = signal<{ items: readonly T[]; hasMore: boolean; failure: unknown; isBusy: boolean }>({
    items: [],
    hasMore: true,
    failure: null,
    isBusy: true,
  });
  let pages: Pages<T> | null = null;
  /** The items that were replaced while a page was loading. That page may contain their old versions. */
  let replaced: readonly Replacement<T>[] = [];

  async function read(own: Pages<T>, before: () => readonly T[]): Promise<void> {
    list.value = { ...list.peek(), isBusy: true };
    replaced = [];
    let next = { items: [] as readonly T[], hasMore: false, failure: null as unknown };
    try {
      const { value, done } = await own.next();
      const page = replaced.reduce<readonly T[]>(replaceIn, value ?? []);
      next = { items: [...before(), ...page], hasMore: done !== true && page.length === pageSize, failure: null };
    } catch (failure) {
      // After an error, a generator is finished. The list must then be loaded again from its start.
      next.failure = failure;
    }
    if (own === pages) list.value = { ...next, isBusy: false };
  }
  return {
    list,
    more: (): void => {
      const { isBusy, failure } = list.peek();
      if (!isBusy && failure === null && pages) void read(pages, () => list.peek().items);
    },
    reload: (): void => {
      pages = open();
      void read(pages, () => []);
    },
    replace: (item: T, isSame: (each: T) => boolean): void => {
      const replacement = { item, isSame };
      replaced = [...replaced, replacement];
      list.value = { ...list.peek(), items: replaceIn(list.peek().items, replacement) };
    },
  };
}
