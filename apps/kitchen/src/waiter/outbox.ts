import { createOutbox, type CallFailure, type Client, type LiveOrder } from '@comanda/client';
import { computed, signal } from '@preact/signals';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';
import { outboxName } from '../device/kept-work.ts';
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
};
/** `isLate`: an attempt has failed, or there is no answer for 2.5 s. `refused`: why the server refused it for good. */
export type Outgoing = Sending & { isLate: boolean; refused?: CallFailure };

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  userId: number;
  onPlaced: (order: LiveOrder) => void;
};

/** The orders of this waiter that the kitchen has not got. */
export function openOrderOutbox({ client, userId, onPlaced }: Deps) {
  const storage = stored(outboxName(userId), isListOf<Sending>('key', 'table', 'lines', 'allergies'), []);
  const unsent = signal<readonly Sending[]>(storage.get());
  const refused = signal<readonly Outgoing[]>([]);
  const late = signal<ReadonlySet<string>>(new Set(unsent.value.map(({ key }) => key)));
  const setLate = ({ key }: Sending): void => {
    late.value = new Set([...late.value, key]);
  };
  const outbox = createOutbox<Sending, LiveOrder>({
    storage,
    keyOf: ({ key }) => key,
    send: async (order, { signal: abort, change }) => {
      try {
        return await place(client, { order, abort, onSeated: (seating) => change({ ...order, seating }) });
      } catch (error) {
        if (!abort.aborted) setLate(order);
        throw error;
      }
    },
    onChange: (entries) => (unsent.value = entries),
    onSent: (_order, placed) => onPlaced(placed),
    onRefused: (order, failure) => (refused.value = [...refused.value, { ...order, isLate: true, refused: failure }]),
    onLate: setLate,
  });
  return {
    orders: computed<readonly Outgoing[]>(() => [
      ...refused.value,
      ...unsent.value.map((order) => ({ ...order, isLate: late.value.has(order.key) })),
    ]),
    add: (order: Omit<Sending, 'key'>): void => outbox.add({ ...order, key: client.newKey() }),
    /** Takes it out of the outbox. An earlier attempt may have arrived, unless the server has refused it. */
    take: (key: string): void => {
      outbox.remove(key);
      refused.value = refused.value.filter((each) => each.key !== key);
    },
    tryNow: outbox.tryNow,
    close: outbox.close,
  };
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
