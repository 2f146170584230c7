import type { Entry } from '@comanda/ui/device-entry.ts';
import { onDeviceLater } from '../on-device-later.ts';
import type { Pieces } from './pieces.ts';

/** What someone has typed for a count. `key`: the call's idempotency key; empty until it is sent. */
export type CountDraft = { total: string; pieces: Pieces; key: string };

type Drafts<T> = Pick<Entry<Readonly<Record<string, T>>>, 'signal' | 'write'>;

/** Returns what is typed for one of several things, and stores it, so that it stays over a reload; null removes it. */
export function useDraft<T>({ signal, write }: Drafts<T>, of: string, empty: T) {
  const draft = signal.value[of] ?? empty;
  const set = (next: T | null): void => {
    const { [of]: _before, ...others } = signal.peek();
    write(next === null ? others : { ...others, [of]: next });
  };
  return { draft, set };
}

const noCount: CountDraft = { total: '', pieces: {}, key: '' };
/** A person's count of a cash drawer. On a shared tablet, the next person doesn't see it. */
export const useCountDraft = (userId: number, drawer: string) =>
  useDraft(onDeviceLater.counts, `${userId} ${drawer}`, noCount);
