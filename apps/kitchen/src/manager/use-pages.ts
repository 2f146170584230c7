import { useEffect, useState } from 'preact/hooks';

/** A list that is read page by page, the next one when somebody asks for it. */
export function usePages<T>(open: () => AsyncGenerator<readonly T[], void, undefined>) {
  const [list, setList] = useState<{
    items: readonly T[];
    hasMore: boolean;
    failure: unknown;
    pages: ReturnType<typeof open> | null;
  }>({
    items: [],
    hasMore: true,
    failure: null,
    pages: null,
  });
  const [isBusy, setIsBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);

  async function read(pages: ReturnType<typeof open>, before: readonly T[], isWanted: () => boolean): Promise<void> {
    setIsBusy(true);
    try {
      const { value, done } = await pages.next();
      if (isWanted()) setList({ items: [...before, ...(value ?? [])], hasMore: done !== true, failure: null, pages });
    } catch (failure) {
      // A generator that has thrown has ended: the list is read again from its start.
      if (isWanted()) setList({ items: [], hasMore: false, failure, pages: null });
    }
    if (isWanted()) setIsBusy(false);
  }
  useEffect(() => {
    let isWanted = true;
    void read(open(), [], () => isWanted);
    return () => {
      isWanted = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read again when somebody asks for it
  }, [attempt]);
  return {
    ...list,
    isBusy,
    more: (): void => {
      if (!isBusy && list.pages) void read(list.pages, list.items, () => true);
    },
    reload: (): void => setAttempt((count) => count + 1),
    replace: (item: T, isSame: (each: T) => boolean): void =>
      setList((before) => ({ ...before, items: before.items.map((each) => (isSame(each) ? item : each)) })),
  };
}
