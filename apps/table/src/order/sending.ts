import { CallFailure, createOutbox, type Client, type Input, type LiveOrder } from '@comanda/client';
import { batch, effect, signal } from '@preact/signals';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';
import type { Menu } from '../menu/menu.ts';
import { messages } from '../messages.ts';
import type { Seat } from '../seat/seat.ts';
import { toOrder, type Basket, type Line } from './basket.ts';
import type { Orders } from './orders.ts';

/** An order on its way: what was chosen, and the idempotency key that it has until there is an answer. */
export type Outgoing = {
  key: string;
  userId: number;
  table: string;
  lines: readonly Line[];
  allergies: string;
  order: Input<'placeOrder'>;
  sum: string;
  /** By the server's clock. */
  at: number;
};
const storedOutgoing = stored<Outgoing | null>(
  'outgoing',
  hasKeys<Outgoing>('key', 'userId', 'table', 'lines', 'order'),
  null,
);

/** There is one order on its way at most. */
const storage = {
  get: (): Outgoing[] => [storedOutgoing.get()].filter((each) => each !== null),
  write: ([first]: readonly Outgoing[]) => storedOutgoing.write(first ?? null),
};

type Deps = {
  client: Client;
  seat: Seat;
  menu: Menu;
  orders: Orders;
  basket: Basket;
  announce: (text: string) => void;
};

function createState() {
  const [resumed = null] = storage.get();
  const outgoing = signal(resumed);
  /** There is no answer after some seconds: the guest is told. */
  const isLate = signal(false);
  // Of the tries before a reload, at least one may have arrived.
  const attempts = signal({ count: resumed ? 1 : 0, lastAt: resumed?.at ?? 0 });
  /** Why the server refused the order; one of earlier attempts may have arrived. */
  const refusal = signal<{ failure: CallFailure; attempts: number } | null>(null);
  /** The order that was placed last, and what it cost when it was sent. */
  const lastSent = signal<{ id: number; shownSum: string } | null>(null);
  /** What the guest stopped. An earlier try may have arrived all the same. */
  const stopped = signal<Outgoing | null>(null);
  return { outgoing, isLate, attempts, refusal, lastSent, stopped };
}

/** Sends the basket, and goes on until there is an answer, also after a reload. */
export function openSending({ client, seat, menu, orders, basket, announce }: Deps) {
  const state = createState();
  const { outgoing, isLate, attempts, refusal, lastSent, stopped } = state;
  const outbox = createOutbox<Outgoing, LiveOrder>({
    storage,
    keyOf: ({ key }) => key,
    send: async ({ key, userId, order }, { signal: aborted }) => {
      attempts.value = { count: attempts.peek().count + 1, lastAt: client.now() };
      if (client.who()?.userId !== userId) throw anotherUser();
      return client.calls.placeOrder(order, { idempotencyKey: key, signal: aborted, repeat: 'never' });
    },
    onChange: ([first]) =>
      batch(() => {
        outgoing.value = first ?? null;
        isLate.value = false;
      }),
    onLate: () => (isLate.value = true),
    onSent: ({ sum }, order) => {
      orders.apply(order);
      lastSent.value = { id: order.id, shownSum: sum };
      announce(messages().orderSent(order.ticket));
    },
    onRefused: (refused, failure) => {
      basket.putBack(refused);
      refusal.value = { failure, attempts: attempts.peek().count };
      if (failure.is('ordering_paused')) void menu.ordering.read();
      if (failure.is('seating_closed')) seat.noteClosed();
    },
    isDecided: (failure) => !failure.isUndecided,
  });

  // Not before an order on its way is answered: it may have been accepted just before the table was closed.
  const stopLeaving = effect(() => {
    if (seat.isClosed.value && outgoing.value === null) seat.leave();
  });

  /** Sends the basket. A second tap finds it empty, and does nothing. */
  function send(): void {
    const next = outgoing.value ? null : createOutgoing({ client, seat, basket });
    if (!next) return;
    batch(() => {
      refusal.value = null;
      stopped.value = null;
      attempts.value = { count: 0, lastAt: client.now() };
      basket.clear();
      outbox.add(next);
    });
  }
  /** Ends the tries. What was chosen is back in the basket. */
  function stop(): void {
    const current = outgoing.value;
    if (!current) return;
    batch(() => {
      stopped.value = current;
      basket.putBack(current);
      outbox.remove(current.key);
    });
  }
  return {
    ...state,
    dismissStopped: () => {
      stopped.value = null;
    },
    send,
    stop,
    tryNow: outbox.tryNow,
    close: () => {
      stopLeaving();
      outbox.close();
    },
  };
}

/** The order that is in the basket; null if nothing can be sent. */
function createOutgoing({ client, seat, basket }: Pick<Deps, 'client' | 'seat' | 'basket'>): Outgoing | null {
  const userId = client.who()?.userId;
  const table = seat.table.value;
  const lines = basket.lines.value;
  if (lines.length === 0 || userId === undefined || table === null) return null;
  const allergies = basket.allergies.value;
  return {
    key: client.newKey(),
    userId,
    table,
    lines,
    allergies,
    order: toOrder({ lines, allergies, seat }),
    sum: basket.sumOf(lines),
    at: client.now(),
  };
}

const anotherUser = (): CallFailure =>
  new CallFailure('The guest who sent this has left.', { code: 'authentication_required', outcome: 'none' });

/** An order of this phone that has just what the stopped one had: an earlier try arrived after all. */
export function findArrived(orders: readonly LiveOrder[], sought: Outgoing): LiveOrder | undefined {
  const wanted = sought.lines
    .map(({ dishId, quantity, remarks }) => `${dishId} ${quantity} ${remarks.trim()}`)
    .join('|');
  // Without any answer of the server it was this device's clock, which may be wrong by some minutes.
  const from = sought.at - 5 * 60_000;
  return orders.find(
    (order) =>
      order.placed_by.id === sought.userId &&
      Date.parse(order.created_at) > from &&
      order.items.map((item) => `${item.item_id} ${item.quantity} ${item.remarks}`).join('|') === wanted,
  );
}
