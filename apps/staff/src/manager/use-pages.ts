import { useEffect, useState } from 'preact/hooks';
import { createPages } from './pages.ts';

export type Paged<T> = ReturnType<typeof usePages<T>>;

export function usePages<T>(open: () => AsyncGenerator<readonly T[], void, undefined>, pageSize: number) {
  const [{ list, ...acts }] = useState(() => createPages(open, pageSize));
  const { reload } = acts;
  useEffect(reload, [reload]);
  return { ...list.value, ...acts };
}
