import { problem, Problem } from '@comanda/shared/contracts/problems';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { onDay } from '../house/house.ts';
import type { Counters } from '../house/house.ts';
import type { HouseStore } from '../house/house-store.ts';
import { dishChanged, nameKey } from '../menu/menu-item.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { DishWrite, MenuStore } from '../menu/menu-store.ts';
import { recordPlaced } from './order-events.ts';
import type { NewOrder, OrderStore, PlacedCall } from './order-store.ts';
import { asPlaced } from './order.ts';
import type { Order } from './order.ts';
import { place } from './placement.ts';
import type { Placement, Stock } from './placement.ts';

export type Placed = { order: Order; replayed: boolean };
/** All that a batch has to know, read before its transaction, which refuses to commit where it is not so any more. */
export type BatchFacts = {
  stock: Stock;
  /** The last numbers given out. */
  known: Counters;
  /** Orders that calls with these idempotency keys have placed already. */
  calls: Map<string, PlacedCall>;
  now: Date;
};
/** What is to be written, and what each placement is to be told once it is. */
export type BatchDecision = { outcomes: Outcome<Placed>[]; placed: NewOrder[]; dishes: DishWrite[]; next: Counters };

type Sources = { orders: OrderStore; menu: MenuStore; house: HouseStore; houseDay: (at: Date) => string };

export async function readFacts(
  placements: readonly Placement[],
  { orders, menu, house, houseDay }: Sources,
): Promise<BatchFacts> {
  const named = placements.flatMap(({ lines }) => lines.map(({ dish }) => dish));
  const [known, pause, dishes, calls, openItems] = await Promise.all([
    house.counters(),
    house.pause(),
    menu.named({
      ids: [...new Set(named.filter((dish) => typeof dish === 'number'))],
      nameKeys: [...new Set(named.filter((dish) => typeof dish === 'string').map(nameKey))],
    }),
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

/** Accepts or refuses each placement on its own, in their order, on what those before it have left. */
export function decide(
  placements: readonly Placement[],
  { stock, calls, now }: BatchFacts,
  currency: string,
): BatchDecision {
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
  const traceparent = placements[0]?.traceparent ?? '';
  return { outcomes, placed, dishes: takenFrom(stock, { at: now, traceparent }), next: stock.counters };
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
