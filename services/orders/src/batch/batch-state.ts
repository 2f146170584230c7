import { isChanged, type BillsState } from './record-bill-change.ts';
import type { NewException } from '../exceptions/exception.ts';
import { dishChanged, type Dish } from '../menu/menu-item.ts';
import type { DishWrite } from '../menu/menu-store.ts';
import type { SeatingEnd } from '../seatings/ended-seating-store.ts';
import type { Counters } from '../restaurant/counters.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { CustomerLimits, Holdings } from './customer-limits.ts';
import type { NewOrder, OrderWrite } from '../orders/order-store.ts';
import type { Order, PlacedRequest } from '../orders/order.ts';

/** An order as it was written, or as an earlier request with the same idempotency key wrote it. */
export type WrittenOrder = { order: Order; replayed: boolean };

/**
 * What one batch works with. Each accepted placement or change is entered here by `applyPlacement` or `applyChange`, so
 * that the next one sees what is left.
 */
export type BatchState = {
  readonly now: Date;
  readonly currency: string;
  readonly pause: OrderingPause;
  /** By id, and by the names in which placements ask for them. */
  readonly dishes: { byId: ReadonlyMap<number, Dish>; byName: ReadonlyMap<string, Dish | undefined> };
  /** The last numbers in use. */
  counters: Counters;
  /** Portions left of each dish, by its id; null is no limit. */
  readonly portions: Map<number, number | null>;
  /** How many items are open at each seating, or more, if that is not too many. */
  readonly openItems: Map<number, number>;
  readonly customerLimits: CustomerLimits;
  /** What customers without a seat have, by their ids; only if there are limits. */
  readonly holdings: Map<number, Holdings>;
  /** Those of the placements' and moves' seatings that have ended, and which they were joined into. */
  readonly endedSeatings: ReadonlyMap<number, SeatingEnd>;
  /** Requests that have placed an order already, by idempotency key. */
  readonly requests: Map<string, PlacedRequest>;
  /** The bills that this batch may change. */
  readonly bills: BillsState;
  /** The orders to be changed, and those of the bills, by id. */
  readonly orders: Map<number, Order>;
  /** What is to be written. */
  readonly placed: NewOrder[];
  readonly changed: OrderWrite[];
  readonly exceptions: NewException[];
};

export const hasWrites = ({ placed, changed, bills }: BatchState): boolean =>
  placed.length > 0 || changed.length > 0 || [...bills.byId.values()].some(isChanged);

/** One write for each dish whose portions this batch has taken or given back. */
export function dishWrites({ dishes, portions, now }: BatchState, traceparent: string): DishWrite[] {
  return [...dishes.byId.values()].flatMap((before) => {
    const portionsLeft = portions.get(before.id) ?? null;
    if (portionsLeft === before.portionsLeft) return [];
    const dish: Dish = { ...before, portionsLeft, version: before.version + 1 };
    return [{ dish, message: dishChanged(dish, { at: now, traceparent }) }];
  });
}
