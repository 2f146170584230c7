import type { KindByHand } from '@comanda/contracts/cash-drawers';
import { useState } from 'preact/hooks';
import { useDraft } from '../../cash/drafts.ts';
import { onDeviceLater } from '../../on-device-later.ts';

// What a manager has typed. It stays until it is saved, even over a reload. `key`: the call's idempotency key; empty until it is sent.
// On a shared tablet, another manager gets no draft with a key, because the same key from another person is another request.
export type MovementDraft = { kind: KindByHand; amount: string; reason: string; other: string; key: string };
/** `count`: the id of the count after which a part is taken out. After another count, the draft is void. */
export type LeaveDraft = { count: number; left: string; to: string };
/** Why a movement is reversed. */
export type ReversalDraft = { reason: string; key: string };

const noMovement: MovementDraft = { kind: 'pay_out', amount: '', reason: '', other: '', key: '' };
export const useMovementDraft = (userId: number, drawer: string) =>
  useDraft(onDeviceLater.movements, `${userId} ${drawer}`, noMovement);
export function useLeaveDraft(drawer: string, count: number) {
  const none: LeaveDraft = { count, left: '', to: '' };
  const { draft, set } = useDraft(onDeviceLater.leaves, drawer, none);
  return { draft: draft.count === count ? draft : none, set };
}
/** Null until the manager has begun to reverse this movement. */
export const useReversalDraft = (userId: number, movement: number) =>
  useDraft<ReversalDraft | null>(onDeviceLater.reversals, `${userId} ${movement}`, null);

/** Returns an idempotency key for what is sent: a new one if it has changed since the last attempt. */
export function useKeyFor(newKey: () => string): (sent: string) => string {
  const [used] = useState({ sent: '', key: '' });
  return (sent) => {
    if (used.sent !== sent) Object.assign(used, { sent, key: newKey() });
    return used.key;
  };
}
