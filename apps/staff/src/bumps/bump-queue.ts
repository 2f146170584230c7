import type { CallFailure, Client } from '@comanda/client/core';
import { computed, type ReadonlySignal } from '@preact/signals';
import { isWaiting, type UnsentList } from '@comanda/ui/unsent.ts';
import type { Bump } from './bump.ts';
import { sendBump, type BumpOutcome } from './send-bump.ts';

/** A bump that was not made: somebody else was faster, or the server refuses it. */
export type Dropped = {
  kind: 'dropped';
  bump: Bump;
  why: Extract<BumpOutcome, { kind: 'overtaken' }> | { kind: 'refused'; failure: CallFailure };
};
type Deps = {
  client: Pick<Client, 'calls'>;
  userId: number;
  unsent: UnsentList;
  /** Bumps of the board, or what a waiter has served. */
  kind: 'bump' | 'served';
  onDropped: (dropped: Dropped) => void;
};
export type BumpQueue = {
  /** What the server has not answered, oldest first. */
  waiting: ReadonlySignal<readonly Bump[]>;
  add: (bump: Bump) => void;
  /** Takes a bump back that was never tried: one that was may have arrived. Returns whether it could. */
  remove: (id: string) => boolean;
  /** Tries at once. */
  retry: () => void;
  close: () => void;
};

/**
 * Keeps bumps until the server has answered them, over reloads too, and sends them one after the other in the order in which
 * they were made. A bump that no longer fits leaves the queue and is reported; it is never forced.
 */
export function createBumpQueue({ client, userId, unsent, kind, onDropped }: Deps): BumpQueue {
  const sender = unsent.open<Bump, BumpOutcome>(kind, {
    send: ({ input: bump }, { signal }) => sendBump(client.calls, bump, { userId, signal }),
    onResult: ({ key, input: bump }, result) => {
      if (result.kind === 'made') return;
      // The screen names it, and the order shows what is so instead.
      sender.remove(key);
      onDropped({ kind: 'dropped', bump, why: result });
    },
  });
  return {
    waiting: computed(() => sender.entries.value.filter(isWaiting).map(({ input }) => input)),
    add: (bump) => sender.add(bump.id, bump),
    remove: (id) => {
      const isUntried = sender.read().some(({ key, attempts }) => key === id && attempts === 0);
      if (isUntried) sender.remove(id);
      return isUntried;
    },
    retry: sender.tryNow,
    close: sender.close,
  };
}
