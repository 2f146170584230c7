import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import { isPaused, orderingPaused } from '../house/house.ts';
import type { Counters, Pause } from '../house/house.ts';
import { nameKey } from '../menu/menu-item.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { IdempotentRequest } from './order-store.ts';
import type { Order, OrderItem, Place } from './order.ts';

/** The dish is named by its id or by its name. */
export type Line = { dish: number | string; quantity: number; remarks: string };
/** An order that somebody wants to place. */
export type Placement = {
  by: { id: number; name: string; role: Role };
  place: Place;
  lines: readonly Line[];
  allergies: string | null;
  call: IdempotentRequest | null;
  traceparent: string;
};

/** What a batch of placements has to know, and what is left of it after each of them. */
export type Stock = {
  dishes: Dishes;
  /** Portions left by dish; null: as many as one likes. */
  portions: Map<number, number | null>;
  /** Open items by seating. */
  openItems: Map<number, number>;
  counters: Counters;
  pause: Pause;
};
type Dishes = { byId: ReadonlyMap<number, Dish>; byName: ReadonlyMap<string, Dish> };
type House = { now: Date; currency: string };

/** Open items that a seating may have. */
const mostOpenItems = 100;

/**
 * The order that `placement` becomes: numbered, priced from the menu, its portions taken from `stock`. All of its items
 * or none; a refusal takes nothing.
 */
export function place(placement: Placement, stock: Stock, { now, currency }: House): Order | Problem {
  if (placement.by.role === 'customer' && isPaused(stock.pause, now)) return orderingPaused(stock.pause, now);
  const chosen = choose(placement.lines, stock.dishes);
  if (!Array.isArray(chosen)) return chosen;
  const refusal = soldOut(chosen, stock) ?? seatingFull(placement, stock);
  if (refusal) return refusal;
  return take({ placement, chosen, stock }, { now, currency });
}

type Chosen = Line & { found: Dish };

function choose(lines: readonly Line[], dishes: Dishes): Chosen[] | Problem {
  const unknown: { index: number; item_id?: number; name?: string }[] = [];
  const chosen = lines.flatMap((line, index): Chosen[] => {
    const { dish } = line;
    const found = typeof dish === 'number' ? dishes.byId.get(dish) : dishes.byName.get(nameKey(dish));
    if (found) return [{ ...line, found }];
    unknown.push({ index, ...(typeof dish === 'number' ? { item_id: dish } : { name: dish }) });
    return [];
  });
  return unknown.length === 0 ? chosen : problem('menu_item_unknown', { items: unknown });
}

function wanted(chosen: readonly Chosen[]): Map<Dish, number> {
  const quantities = new Map<Dish, number>();
  for (const { found, quantity } of chosen) quantities.set(found, (quantities.get(found) ?? 0) + quantity);
  return quantities;
}

function soldOut(chosen: readonly Chosen[], { portions }: Stock): Problem | null {
  const items = [...wanted(chosen)].flatMap(([dish, quantity]) => {
    const left = portions.get(dish.id) ?? null;
    if (dish.available && (left === null || left >= quantity)) return [];
    return [{ item_id: dish.id, name: dish.name, portions_left: dish.available ? left : 0 }];
  });
  return items.length === 0 ? null : problem('menu_item_unavailable', { items });
}

function seatingFull({ place: { seating }, lines }: Placement, { openItems }: Stock): Problem | null {
  if (seating === null || (openItems.get(seating) ?? 0) + lines.length <= mostOpenItems) return null;
  return problem('seating_full', {}, { 'Retry-After': '60' });
}

type Accepted = { placement: Placement; chosen: readonly Chosen[]; stock: Stock };

function take({ placement, chosen, stock }: Accepted, { now, currency }: House): Order {
  const { portions, openItems, counters } = stock;
  const { seating } = placement.place;
  for (const [dish, quantity] of wanted(chosen)) {
    const left = portions.get(dish.id) ?? null;
    if (left !== null) portions.set(dish.id, left - quantity);
  }
  if (seating !== null) openItems.set(seating, (openItems.get(seating) ?? 0) + chosen.length);
  const items = chosen.map(({ found, quantity, remarks }, index): OrderItem => ({
    id: counters.itemId + 1 + index,
    itemId: found.id,
    name: found.name,
    quantity,
    remarks,
    unitPriceMinor: found.priceMinor,
    station: found.station,
    status: 'received',
    holdsPortions: found.portionsLeft !== null,
    deliveredAt: null,
  }));
  stock.counters = {
    ...counters,
    orderId: counters.orderId + 1,
    itemId: counters.itemId + items.length,
    ticket: counters.ticket + 1,
  };
  return {
    id: stock.counters.orderId,
    ticket: stock.counters.ticket,
    ownerId: placement.by.id,
    ownerName: placement.by.name,
    ...placement.place,
    placedAt: placement.place,
    status: 'received',
    version: 1,
    changedVersion: 1,
    allergies: placement.allergies,
    seenAt: null,
    items,
    currency,
    deliveredAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
