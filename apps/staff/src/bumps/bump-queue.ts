import type { CallFailure, Client } from '@comanda/client/core';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { isWaiting } from '@comanda/ui/unsent-entry.ts';
import type { Bump } from './bump.ts';
import { sendBump, type BumpOutcome } from './send-bump.ts';

/** A bump that was not applied, because another person was faster or the server has rejected it. */
export type Dropped = {
  kind: 'dropped';
  bump: Bump;
  why: Extract<BumpOutcome, { kind: 'overtaken' }> | { kind: 'refused'; failure: CallFailure };
};
type Deps = {
  client: Pick<Client, 'calls'>;
  userId: number;
  unsent: UnsentList;
  /** `bump`: bumps on the board. `served`: dishes that a waiter has served. */
  kind: 'bump' | 'served';
  onDropped: (dropped: Dropped) => void;
};
export type BumpQueue = {
  /** The bumps that have no response yet, oldest first. */
  waiting: ReadonlySignal<readonly Bump[]>;
  add: (bump: Bump) => void;
  /** Removes a bump that was never sent, and returns true. A bump that was sent may have arrived: then this returns false. */
  remove: (id: string) => boolean;
  /** Sends the waiting bumps now, instead of after the usual delay. */
  retry: () => void;
  close: () => void;
};

/**
 * Stores bumps until the server has responded, even across reloads, and sends them one by one in their order. A bump that no
 * longer fits the order is removed and reported, and never forced.
 */
export function createBumpQueue({ client, userId, unsent, kind, onDropped }: Deps): BumpQueue {
  const sender = unsent.open<Bump, BumpOutcome>(kind, {
    send: ({ input: bump }, { signal }) => sendBump(client.calls, bump, { userId, signal }),
    onResult: ({ key, input: bump }, result) => {
      if (result.kind === 'made') return;
      // The screen reports the dropped bump, and shows the order's actual state.
      sender.remove(key);
      onDropped({ kind: 'dropped', bump, why: result });
    },
    mustFollow: (bump, earlier) => bump.orderId === earlier.orderId,
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
