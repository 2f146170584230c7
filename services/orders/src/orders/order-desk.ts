import { problem, Problem } from '@comanda/shared/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Batcher, Outcome } from '@comanda/shared/runtime/batcher';
import type { Logger } from '@comanda/shared/runtime/logger';
import { onDay } from '../house/house.ts';
import type { HouseStore } from '../house/house-store.ts';
import { dishChanged, nameKey } from '../menu/menu-item.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { DishWrite, MenuStore } from '../menu/menu-store.ts';
import { isDuplicate, isTransient, jitter } from '@comanda/shared/mongo/transaction-store';
import type { Transactions } from '@comanda/shared/mongo/transaction-store';
import { recordPlaced } from './order-events.ts';
import type { NewOrder, OrderStore, PlacedCall } from './order-store.ts';
import { asPlaced } from './order.ts';
import type { Order } from './order.ts';
import { place } from './placement.ts';
import type { Placement, Stock } from './placement.ts';

export type Placed = { order: Order; replayed: boolean };
export type OrderDesk = Batcher<Placement, Placed>;
type Options = {
  orders: OrderStore;
  menu: MenuStore;
  house: HouseStore;
  transactions: Transactions;
  /** Told of each document that was written, with the events to be published. */
  onWritten: (where: 'orders' | 'menu', documentId: number, messages: readonly Message[]) => void;
  houseDay: (at: Date) => string;
  currency: string;
  logger: Logger;
};

const maxBatch = 256;
const maxQueue = 2048;
/** No attempt is begun after this, so that a caller hears 503 within 2 s. */
const patienceMs = 1400;

/**
 * The one write path of new orders: what waits while one batch commits is the next batch. One transaction takes the
 * numbers, reserves the portions and inserts the orders with their events; each order is accepted or refused on its own.
 */
export function createOrderDesk(options: Options): OrderDesk {
  async function run(placements: readonly Placement[]): Promise<readonly Outcome<Placed>[]> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- again from the start, on what is there by then
        const outcomes = await attempt(placements, deadline);
        if (outcomes) return outcomes;
      } catch (error) {
        if (!isTransient(error) && !isDuplicate(error)) throw error;
        options.logger.debug({ err: error }, 'a batch of orders begins again');
      }
      if (performance.now() > deadline)
        throw problem('service_unavailable', { detail: 'Too many write at once.' }, { 'Retry-After': '1' });
      // oxlint-disable-next-line no-await-in-loop
      await jitter();
    }
  }
  /** Null where somebody else wrote what this batch had read; nothing was written then. */
  async function attempt(
    placements: readonly Placement[],
    deadline: number,
  ): Promise<readonly Outcome<Placed>[] | null> {
    const facts = await readFacts(placements, options);
    const { outcomes, placed, dishes } = decide(placements, facts, options);
    if (placed.length === 0) return outcomes;
    const committed = await options.transactions.run({
      deadline,
      write: async (session) => {
        const numbers = { known: facts.known, next: facts.stock.counters };
        if (!(await options.house.takeNumbers(numbers, session))) return false;
        if (!(await options.menu.setPortions(dishes, session))) return false;
        await options.orders.insert(placed, session);
        return true;
      },
    });
    if (!committed) return null;
    for (const { order, message } of placed) options.onWritten('orders', order.id, [message]);
    for (const { dish, message } of dishes) options.onWritten('menu', dish.id, [message]);
    return outcomes;
  }
  return createBatcher({ maxBatch, maxQueue, run });
}

type Facts = { stock: Stock; known: Stock['counters']; calls: Map<string, PlacedCall>; now: Date };

async function readFacts(placements: readonly Placement[], { orders, menu, house, houseDay }: Options): Promise<Facts> {
  const named = placements.flatMap(({ lines }) => lines.map(({ dish }) => dish));
  const ids = [...new Set(named.filter((dish) => typeof dish === 'number'))];
  const nameKeys = [...new Set(named.filter((dish) => typeof dish === 'string').map(nameKey))];
  const [known, pause, dishes, calls, openItems] = await Promise.all([
    house.counters(),
    house.pause(),
    menu.named({ ids, nameKeys }),
    orders.placedBy(placements.flatMap(({ call }) => call?.key ?? [])),
    orders.openItems([...new Set(placements.flatMap(({ place: { seating } }) => seating ?? []))]),
  ]);
  const now = new Date();
  const stock: Stock = {
    dishes: {
      byId: new Map(dishes.map((dish) => [dish.id, dish])),
      byName: new Map(dishes.map((dish) => [nameKey(dish.name), dish])),
    },
    portions: new Map(dishes.map(({ id, portionsLeft }) => [id, portionsLeft])),
    openItems,
    counters: onDay(known, houseDay(now)),
    pause,
  };
  return { stock, known, now, calls: new Map(calls.map((placed) => [placed.call.key, placed])) };
}

type Decision = { outcomes: Outcome<Placed>[]; placed: NewOrder[]; dishes: DishWrite[] };

function decide(placements: readonly Placement[], { stock, calls, now }: Facts, { currency }: Options): Decision {
  const placed: NewOrder[] = [];
  const outcomes = placements.map((placement): Outcome<Placed> => {
    const { call, by, traceparent } = placement;
    const earlier = call && calls.get(call.key);
    if (earlier)
      return earlier.call.hash === call.hash
        ? { value: { order: asPlaced(earlier.order), replayed: true } }
        : { error: problem('idempotency_key_reused') };
    const order = place(placement, stock, { now, currency });
    if (order instanceof Problem) return { error: order };
    if (call) calls.set(call.key, { call, order });
    placed.push({ order, call, ...recordPlaced(order, { actor: { id: by.id, role: by.role }, traceparent }) });
    return { value: { order, replayed: false } };
  });
  return { outcomes, placed, dishes: takenFrom(stock, { at: now, traceparent: placements[0]?.traceparent ?? '' }) };
}

/** One write for each dish whose portions this batch has taken. */
function takenFrom({ dishes, portions }: Stock, when: { at: Date; traceparent: string }): DishWrite[] {
  return [...dishes.byId.values()].flatMap((before) => {
    const portionsLeft = portions.get(before.id) ?? null;
    if (portionsLeft === before.portionsLeft) return [];
    const dish: Dish = { ...before, portionsLeft, version: before.version + 1 };
    return [{ dish, message: dishChanged(dish, when) }];
  });
}
