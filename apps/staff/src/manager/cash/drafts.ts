import type { KindByHand } from '@comanda/contracts/cash-drawers';
import type { Entry } from '@comanda/ui/device-entry.ts';
import { useState } from 'preact/hooks';
import { onDeviceLater } from '../../on-device-later.ts';
import type { Pieces } from './pieces.ts';

// What a manager has typed. It stays until it is saved, even over a reload. `key`: the call's idempotency key; empty until it is sent.
export type CountDraft = { total: string; pieces: Pieces; key: string };
export type MovementDraft = { kind: KindByHand; amount: string; reason: string; other: string; key: string };
/** `count`: the id of the count after which a part is taken out. After another count, the draft is void. */
export type LeaveDraft = { count: number; left: string; to: string };

type Drafts<T> = Pick<Entry<Readonly<Record<string, T>>>, 'signal' | 'write'>;

/** Returns what is typed for a cash drawer, and stores it; null removes it. */
function useDraft<T>({ signal, write }: Drafts<T>, drawer: string, empty: T) {
  const draft = signal.value[drawer] ?? empty;
  const set = (next: T | null): void => {
    const { [drawer]: _before, ...others } = signal.peek();
    write(next === null ? others : { ...others, [drawer]: next });
  };
  return { draft, set };
}

const noCount: CountDraft = { total: '', pieces: {}, key: '' };
export const useCountDraft = (drawer: string) => useDraft(onDeviceLater.counts, drawer, noCount);
const noMovement: MovementDraft = { kind: 'pay_out', amount: '', reason: '', other: '', key: '' };
export const useMovementDraft = (drawer: string) => useDraft(onDeviceLater.movements, drawer, noMovement);
export function useLeaveDraft(drawer: string, count: number) {
  const none: LeaveDraft = { count, left: '', to: '' };
  const { draft, set } = useDraft(onDeviceLater.leaves, drawer, none);
  return { draft: draft.count === count ? draft : none, set };
}

/** Returns an idempotency key for what is sent: a new one if it has changed since the last attempt. */
export function useKeyFor(newKey: () => string): (sent: string) => string {
  const [used] = useState({ sent: '', key: '' });
  return (sent) => {
    if (used.sent !== sent) Object.assign(used, { sent, key: newKey() });
    return used.key;
  };
}
