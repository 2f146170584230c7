import { openUnsent, type Earlier, type UnsentList } from '@comanda/ui/unsent.ts';
import { isWaiting } from '@comanda/ui/unsent-entry.ts';
import { onDevice } from '../on-device.ts';

/** Opens the list of this user's actions on this device that the server has not accepted yet. */
export const openUnsentWork = (userId: number): UnsentList => openUnsent(onDevice.unsent(userId), earlierWork(userId));

/**
 * Where release 1.0.0 stored each kind of work. It stored no number of attempts, so each entry may already have reached the
 * server.
 */
const earlierWork = (userId: number): readonly Earlier[] => [
  {
    stored: onDevice.earlierWork('kitchen.bumps', userId),
    entryOf: (bump) => entryOf('bump', bump, bump['id']),
  },
  {
    stored: onDevice.earlierWork('kitchen.reads', userId),
    entryOf: (read) => entryOf('read', read, JSON.stringify([read['orderId'], read['stations']])),
  },
  { stored: onDevice.earlierWork('waiter.served', userId), entryOf: (bump) => entryOf('served', bump, bump['id']) },
  {
    stored: onDevice.earlierWork('waiter.orders', userId),
    entryOf: ({ key, ...order }) => entryOf('order', order, key),
  },
  {
    stored: onDevice.earlierWork('waiter.payments', userId),
    entryOf: ({ key, ...payment }) => entryOf('payment', payment, key),
  },
  {
    stored: onDevice.earlierWork('waiter.moved-bills', userId),
    entryOf: ({ key, ...move }) => entryOf('move', move, key),
  },
];
const entryOf = (kind: string, input: unknown, key: unknown): ReturnType<Earlier['entryOf']> =>
  typeof key === 'string' ? { key, kind, input, attempts: 1 } : null;

/** Counts this user's unsent work on this device: bumps on the board, and work on the waiters' screen. */
export function countUnsent(userId: number): { bumps: number; waiterWork: number } {
  const waiting = onDevice.unsent(userId).get().filter(isWaiting);
  const countOf = (...kinds: string[]): number => waiting.filter(({ kind }) => kinds.includes(kind)).length;
  return { bumps: countOf('bump'), waiterWork: countOf('served', 'order', 'payment', 'move') };
}
