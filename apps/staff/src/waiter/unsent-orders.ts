import type { Client, LiveOrder } from '@comanda/client/core';
import type { Unsent, UnsentList } from '@comanda/ui/unsent.ts';
import type { DraftLine } from './draft.ts';

type ChosenOrder = {
  table: string;
  /** Null until the table's seating is known: a free table is opened first. Then it stays the same, as the key does. */
  seating: number | null;
  lines: readonly DraftLine[];
  allergies: string;
};
export type UnsentOrder = Unsent<
  ChosenOrder & {
    /** When it was sent first, by this device's clock, which may be wrong. Absent if release 1.0.0 stored it. */
    atMs?: number;
    /** The waiter has stopped it. */
    isStopped?: boolean;
  }
>;
type Input = UnsentOrder['input'];

/** What is older may be of guests who have left. */
export const oldAfterMinutes = 20;

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  unsent: UnsentList;
  onPlaced: (order: LiveOrder) => void;
};

/** The orders of this waiter that the kitchen has not got. */
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
  });
  return {
    entries: sender.entries,
    add: (order: ChosenOrder): void => sender.add(client.newKey(), { ...order, atMs: Date.now() }),
    /** Takes it out. An earlier attempt may have arrived, unless the server has refused it. */
    take: sender.remove,
    /** Ends the attempts. It stays here until it is sent all the same, or taken out. */
    stop: ({ key, input }: UnsentOrder): void => sender.hold(key, { ...input, isStopped: true }),
    /** With the same key: if an earlier attempt has arrived, there is one order. */
    sendHeld: ({ key, input: { isStopped: _was, ...order } }: UnsentOrder): void =>
      sender.add(key, { ...order, atMs: Date.now() }),
    tryNow: sender.tryNow,
    close: sender.close,
  };
}

/** So is one whose age nobody knows: kept by release 1.0.0, or the clock of this device was set back. */
function isOld({ atMs = Number.NaN }: Input): boolean {
  return !(Math.abs(Date.now() - atMs) < oldAfterMinutes * 60_000);
}

type Attempt = { key: string; input: ChosenOrder; signal: AbortSignal; onSeated: (seating: number | null) => void };

/** Opens the table if nobody has, and places the order. */
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
    items: lines.map(({ dishId, quantity, remarks }) => ({
      item_id: dishId,
      quantity,
      ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
    })),
    ...(allergies.trim() !== '' && { allergies: allergies.trim() }),
  };
  return calls.placeOrder(body, { idempotencyKey: key, repeat: 'never', signal });
}
