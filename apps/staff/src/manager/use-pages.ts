import { useEffect, useState } from 'preact/hooks';
import { createPages } from './pages.ts';

export function usePages<T>(open: () => AsyncGenerator<readonly T[], void, undefined>) {
  const [{ list, ...acts }] = useState(() => createPages(open));
  const { reload } = acts;
  useEffect(reload, [reload]);
  return { ...list.value, ...acts };
}
