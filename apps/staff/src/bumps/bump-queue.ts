import { createOutbox, type CallFailure, type Client } from '@comanda/client';
import type { Order } from '@comanda/contracts/order';
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Stored } from '@comanda/ui/stored-setting.ts';
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
  storage: Pick<Stored<readonly Bump[]>, 'get' | 'write'>;
  onMade: (order: Order) => void;
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
export function createBumpQueue({ client, userId, storage, onMade, onDropped }: Deps): BumpQueue {
  const waiting = signal(storage.get());
  const outbox = createOutbox<Bump, BumpOutcome>({
    storage,
    keyOf: ({ id }) => id,
    send: (bump, { signal: aborted, change }) => {
      if (!bump.isTried) change({ ...bump, isTried: true });
      return sendBump(client.calls, bump, { userId, signal: aborted });
    },
    onChange: (bumps) => (waiting.value = bumps),
    onSent: (bump, outcome) => {
      if (outcome.kind === 'made') onMade(outcome.order);
      else onDropped({ kind: 'dropped', bump, why: outcome });
    },
    onRefused: (bump, failure) => onDropped({ kind: 'dropped', bump, why: { kind: 'refused', failure } }),
  });
  return {
    waiting,
    add: (bump) => outbox.add({ ...bump, isTried: false }),
    remove: (id) => {
      const bump = outbox.entries().find((each) => each.id === id);
      return bump?.isTried === false && outbox.remove(id) !== undefined;
    },
    retry: outbox.tryNow,
    close: outbox.close,
  };
}
