import { problem, type Problem } from '@comanda/contracts/problem';
import type { Dish } from '../menu/menu-item.ts';
import type { BatchState, CustomerLimits, Holdings } from './batch-state.ts';
import { openStatuses, type Order } from '../orders/order.ts';
import type { PlaceOrder } from './write.ts';

/** The limits don't apply to guests: a guest has a seat, and each seating has limits of its own. */
const isWithoutSeat = ({ context, location }: PlaceOrder): boolean =>
  context.actor.role === 'customer' && location.seating === null;

/** Returns the users whose open orders must be loaded to check the limits for these placements. */
export function ownersToCount(limits: CustomerLimits, placements: readonly PlaceOrder[]): number[] {
  const { openOrders, openItems, portionPercent } = limits;
  if (openOrders === null && openItems === null && portionPercent === 100) return [];
  return [...new Set(placements.filter(isWithoutSeat).map(({ context }) => context.actor.id))];
}

/** Returns each owner's open orders, items and portions, by user id. */
export function holdingsOf(openOrders: readonly Order[]): Map<number, Holdings> {
  const holdings = new Map<number, Holdings>();
  for (const order of openOrders) addToHoldings(holdings, order);
  return holdings;
}

/** Adds an order to its owner's open orders, items and portions. */
export function addToHoldings(holdings: Map<number, Holdings>, { ownerId, items }: Order): void {
  const before = holdings.get(ownerId) ?? noHoldings();
  const open = items.filter(({ status }) => openStatuses.includes(status));
  for (const { itemId, quantity, holdsPortions } of open)
    if (holdsPortions) before.portions.set(itemId, (before.portions.get(itemId) ?? 0) + quantity);
  holdings.set(ownerId, { ...before, orders: before.orders + 1, items: before.items + open.length });
}

const noHoldings = (): Holdings => ({ orders: 0, items: 0, portions: new Map() });

/** `items`: how many items the order has. `quantities`: how many portions of each dish. */
type Ordered = { items: number; quantities: ReadonlyMap<Dish, number> };

/** Rejects an order that would exceed the limits for a customer without a seat. */
export function refuseOverLimits(state: BatchState, placement: PlaceOrder, ordered: Ordered): Problem | null {
  if (!isWithoutSeat(placement)) return null;
  const { openOrders, openItems, portionPercent } = state.customerLimits;
  const held = state.holdings.get(placement.context.actor.id) ?? noHoldings();
  if (openOrders !== null && held.orders + 1 > openOrders)
    return problem('too_many_open_items', { limit: 'orders', allowed: openOrders });
  if (openItems !== null && held.items + ordered.items > openItems)
    return problem('too_many_open_items', { limit: 'items', allowed: openItems });
  for (const [{ id }, quantity] of ordered.quantities) {
    const left = state.portions.get(id) ?? null;
    const own = held.portions.get(id) ?? 0;
    // The share is rounded up, so that the last portion of a dish can be ordered.
    const allowed = left === null ? Infinity : Math.ceil(((left + own) * portionPercent) / 100);
    if (own + quantity > allowed) return problem('too_many_open_items', { limit: 'portions', allowed, item_id: id });
  }
  return null;
}
