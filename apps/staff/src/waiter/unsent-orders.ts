import type { Client, LiveOrder } from '@comanda/client/core';
import { toAskedOption } from '@comanda/contracts/asked-options';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import type { Unsent } from '@comanda/ui/unsent-entry.ts';
import { linesOf, type DraftLine } from './draft.ts';

type ChosenOrder = {
  table: string;
  /**
   * The table's seating; null until it is known, because a free table must be opened first. Afterwards it stays the same for all
   * attempts, as their idempotency key requires.
   */
  seating: number | null;
  lines: readonly DraftLine[];
  allergies: string;
};
export type UnsentOrder = Unsent<
  ChosenOrder & {
    /**
     * When the waiter sent the order, in milliseconds by this device's clock, which may be wrong. Absent if release 1.0.0 stored
     * it.
     */
    atMs?: number;
    /** True if the waiter has stopped sending the order. */
    isStopped?: boolean;
  }
>;
type Input = UnsentOrder['input'];

/** The age in minutes from which an order is not sent automatically, because its guests may have left. */
export const oldAfterMinutes = 20;

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  unsent: UnsentList;
  onPlaced: (order: LiveOrder) => void;
};

/** This waiter's orders that the kitchen has not received yet. */
export function openUnsentOrders({ client, unsent, onPlaced }: Deps) {
  const sender = unsent.open<Input, { kind: 'made'; order: LiveOrder } | { kind: 'held' }>('order', {
    send: async ({ key, input }, { signal, change }) => {
      if (isOld(input)) return { kind: 'held' };
      const onSeated = (seating: number | null): void => change({ ...input, seating });
      return { kind: 'made', order: await place(client, { key, input, signal, onSeated }) };
    },
    onResult: (_entry, result) => {
      if (result.kind === 'made') onPlaced(result.order);
    },
    mustFollow: () => false,
  });
  return {
    entries: sender.entries,
    add: (order: ChosenOrder): void => sender.add(client.newKey(), { ...order, atMs: Date.now() }),
    /** Removes an order. Unless the server has rejected it, an earlier attempt may have arrived. */
    take: sender.remove,
    /** Stops sending an order. It stays in the list until the waiter sends or removes it. */
    stop: ({ key, input }: UnsentOrder): void => sender.hold(key, { ...input, isStopped: true }),
    /** Sends a stopped order with the same idempotency key: if an earlier attempt has arrived, no second order is placed. */
    sendHeld: ({ key, input: { isStopped: _was, ...order } }: UnsentOrder): void =>
      sender.add(key, { ...order, atMs: Date.now() }),
    tryNow: sender.tryNow,
    close: sender.close,
  };
}

/**
 * Returns true if the order is too old to be sent automatically. An unknown age counts as too old: release 1.0.0 stored no time,
 * and a clock may have been set back.
 */
function isOld({ atMs = Number.NaN }: Input): boolean {
  return !(Math.abs(Date.now() - atMs) < oldAfterMinutes * 60_000);
}

type Attempt = { key: string; input: ChosenOrder; signal: AbortSignal; onSeated: (seating: number | null) => void };

/** Opens the table if it has no seating yet, then places the order. */
async function place({ calls }: Pick<Client, 'calls'>, { key, input, signal, onSeated }: Attempt): Promise<LiveOrder> {
  const { table, lines, allergies } = input;
  let { seating } = input;
  if (seating === null) {
    ({ seating } = await calls.openTable({ table }, { repeat: 'never', signal }));
    onSeated(seating);
  }
  const body = {
    table,
    ...(seating !== null && { seating }),
    items: linesOf(lines).map(({ dishId, quantity, remarks, options, measure, unitPrice }) => ({
      item_id: dishId,
      quantity,
      ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
      // An earlier release of the server rejects fields that none of its dishes needs.
      ...(options.length > 0 && { options: options.map(toAskedOption) }),
      ...(measure !== null && { measure }),
      ...(unitPrice !== null && { unit_price: unitPrice }),
    })),
    ...(allergies.trim() !== '' && { allergies: allergies.trim() }),
  };
  return calls.placeOrder(body, { idempotencyKey: key, repeat: 'never', signal });
}
