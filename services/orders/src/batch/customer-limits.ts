import { problem, type Problem } from '@comanda/contracts/problem';
import type { Dish } from '../menu/menu-item.ts';
import type { BatchState } from './batch-state.ts';
import { openStatuses, type Order } from '../orders/order.ts';
import type { Placement } from '../orders/place-order.ts';

/** Where customers may order from: `seated` is the seat of a guest, who has scanned the code of a table. */
export const customerOrderPlaces = ['anywhere', 'seated'] as const;
export type CustomerOrders = (typeof customerOrderPlaces)[number];

/** What one customer without a seat may have open at the same time. Null is no limit. */
export type CustomerLimits = {
  openOrders: number | null;
  openItems: number | null;
  /** Of the portions of a dish that are left or that this customer has, in percent. */
  portionPercent: number;
};
/** What the open orders of one customer have: `portions` are those of dishes with a limit, by the id of the dish. */
export type Holdings = { orders: number; items: number; portions: Map<number, number> };

/** Guests have a seat, and their seating has limits of its own. */
const isWithoutSeat = ({ placedBy, location }: Placement): boolean =>
  placedBy.role === 'customer' && location.seating === null;

/** Whose open orders must be read, so that these placements can be decided. */
export function ownersToCount(limits: CustomerLimits, placements: readonly Placement[]): number[] {
  const { openOrders, openItems, portionPercent } = limits;
  if (openOrders === null && openItems === null && portionPercent === 100) return [];
  return [...new Set(placements.filter(isWithoutSeat).map(({ placedBy }) => placedBy.id))];
}

/** What each owner has, by id. */
export function holdingsOf(openOrders: readonly Order[]): Map<number, Holdings> {
  const holdings = new Map<number, Holdings>();
  for (const order of openOrders) addToHoldings(holdings, order);
  return holdings;
}

/** Counts an order for its owner. */
export function addToHoldings(holdings: Map<number, Holdings>, { ownerId, items }: Order): void {
  const before = holdings.get(ownerId) ?? noHoldings();
  const open = items.filter(({ status }) => openStatuses.includes(status));
  for (const { itemId, quantity, holdsPortions } of open)
    if (holdsPortions) before.portions.set(itemId, (before.portions.get(itemId) ?? 0) + quantity);
  holdings.set(ownerId, { ...before, orders: before.orders + 1, items: before.items + open.length });
}

const noHoldings = (): Holdings => ({ orders: 0, items: 0, portions: new Map() });

type Quantities = ReadonlyMap<Dish, number>;

/** Refuses a placement that would give a customer without a seat too much at the same time. */
export function refuseOverLimits(state: BatchState, placement: Placement, ordered: Quantities): Problem | null {
  if (!isWithoutSeat(placement)) return null;
  const { openOrders, openItems, portionPercent } = state.customerLimits;
  const held = state.holdings.get(placement.placedBy.id) ?? noHoldings();
  if (openOrders !== null && held.orders + 1 > openOrders)
    return problem('too_many_open_items', { limit: 'orders', allowed: openOrders });
  if (openItems !== null && held.items + placement.lines.length > openItems)
    return problem('too_many_open_items', { limit: 'items', allowed: openItems });
  for (const [{ id }, quantity] of ordered) {
    const left = state.portions.get(id) ?? null;
    const own = held.portions.get(id) ?? 0;
    // Rounded up, so that the last portion of a dish can be ordered.
    const allowed = left === null ? Infinity : Math.ceil(((left + own) * portionPercent) / 100);
    if (own + quantity > allowed) return problem('too_many_open_items', { limit: 'portions', allowed, item_id: id });
  }
  return null;
}
