import { createOutbox, type Client, type LiveOrder } from '@comanda/client';
import { computed, signal } from '@preact/signals';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';
import { keepRefused, type WithRefusal } from '../device/keep-refused.ts';
import { heldOrdersName, outboxName } from '../device/kept-work.ts';
import type { DraftLine } from './draft.ts';

/** An order on its way to the kitchen. */
type Sending = {
  /** The idempotency key, the same until there is an answer. */
  key: string;
  table: string;
  /** Null until the table's seating is known: a free table is opened first. Then it stays the same, as the key does. */
  seating: number | null;
  lines: readonly DraftLine[];
  allergies: string;
  /** When it was sent first, by the clock of this device: compared with nothing else, so that it may be wrong. */
  atMs: number;
};
/** An order that is not sent by itself: the server has refused it, it is old, or the waiter has stopped it. */
type Held = Sending & { held: 'refused' | 'old' | 'stopped' };
/** `isLate`: an attempt has failed, or there is no answer for 2.5 s. `refused`: why the server refused it for good. */
export type Outgoing = Sending & Partial<Held> & WithRefusal & { isLate: boolean };

/** What is older may be of guests who have left. */
export const oldAfterMinutes = 20;

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  userId: number;
  onPlaced: (order: LiveOrder) => void;
};

/** The orders of this waiter that the kitchen has not got. */
export function openOrderOutbox({ client, userId, onPlaced }: Deps) {
  const storage = stored(outboxName(userId), isListOf<Sending>('key', 'table', 'lines', 'allergies'), []);
  const unsent = signal<readonly Sending[]>(storage.get());
  const held = keepRefused<Held>(heldOrdersName(userId));
  const late = signal<ReadonlySet<string>>(new Set(unsent.value.map(({ key }) => key)));
  const setLate = ({ key }: Sending): void => {
    late.value = new Set([...late.value, key]);
  };
  const outbox = createOutbox<Sending, LiveOrder | null>({
    storage,
    keyOf: ({ key }) => key,
    send: async (order, { signal: abort, change }) => {
      if (isOld(order)) return null;
      try {
        return await place(client, { order, abort, onSeated: (seating) => change({ ...order, seating }) });
      } catch (error) {
        if (!abort.aborted) setLate(order);
        throw error;
      }
    },
    onChange: (entries) => (unsent.value = entries),
    onSent: (order, placed) => {
      if (placed) onPlaced(placed);
      else held.add({ ...order, held: 'old' }, null);
    },
    onRefused: (order, failure) => held.add({ ...order, held: 'refused' }, failure),
    onLate: setLate,
  });
  function add(order: Omit<Sending, 'atMs'>): void {
    outbox.add({ ...order, atMs: Date.now() });
  }
  return {
    orders: computed<readonly Outgoing[]>(() => [
      ...held.entries.value.map((order) => ({ ...order, isLate: true })),
      ...unsent.value.map((order) => ({ ...order, isLate: late.value.has(order.key) })),
    ]),
    add: (order: Omit<Sending, 'key' | 'atMs'>): void => add({ ...order, key: client.newKey() }),
    /** Takes it out. An earlier attempt may have arrived, unless the server has refused it. */
    take: (key: string): void => {
      outbox.remove(key);
      held.remove(key);
    },
    /** Ends the attempts. It stays here until it is sent all the same, or taken out. */
    stop: (key: string): void => {
      const order = outbox.remove(key);
      if (order) held.add({ ...order, held: 'stopped' }, null);
    },
    /** With the same key: if an earlier attempt has arrived, there is one order. */
    sendHeld: (key: string): void => {
      const found = held.remove(key);
      if (!found) return;
      const { held: _why, ...order } = found;
      add(order);
    },
    tryNow: outbox.tryNow,
    close: outbox.close,
  };
}

/** So is one whose age nobody knows: kept by an earlier release, or the clock of this device was set back. */
function isOld({ atMs }: Sending): boolean {
  const ageMs = Date.now() - atMs;
  return !(Math.abs(ageMs) < oldAfterMinutes * 60_000);
}

type Attempt = { order: Sending; abort: AbortSignal; onSeated: (seating: number | null) => void };

/** Opens the table if nobody has, and places the order. */
async function place({ calls }: Pick<Client, 'calls'>, { order, abort, onSeated }: Attempt): Promise<LiveOrder> {
  const { key, table, lines, allergies } = order;
  let { seating } = order;
  if (seating === null) {
    ({ seating } = await calls.openTable({ table }, { repeat: 'never', signal: abort }));
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
  return calls.placeOrder(body, { idempotencyKey: key, repeat: 'never', signal: abort });
}
