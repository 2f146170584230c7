import type { DishRow, HourRow, StationRow } from '@comanda/contracts/reports';
import { localHour } from '@comanda/contracts/restaurant-clock';
import { fromMinor } from '../money.ts';
import type { LateMinutes } from './late-limits.ts';

/** An order in statistics, without its cancelled items. */
export type OrderedOrder = {
  id: number;
  at: Date;
  /** The order that it was split off, so it isn't counted as an order; null if it was ordered itself. */
  splitFrom: number | null;
  items: readonly OrderedItem[];
};
type OrderedItem = {
  dishId: number;
  name: string;
  quantity: number;
  /** 0 for a component, which is part of its combo's price. */
  amountMinor: number;
  isComponent: boolean;
  /** True if the kitchen prepared an item again: it took time, but was not ordered again. */
  isRemake: boolean;
  station: string;
  /** When the item was first ready or delivered; null if it isn't yet. */
  readyAt: Date | null;
};

/**
 * Leaves out the orders that were split off orders up to the id `after`: their dishes were ordered before. The orders are sorted by
 * id, and an order is always split off one with a lower id.
 */
export function withoutEarlier(orders: readonly OrderedOrder[], after: number): OrderedOrder[] {
  const earlier = new Set<number>();
  return orders.filter(({ id, splitFrom }) => {
    const isEarlier = splitFrom !== null && (splitFrom <= after || earlier.has(splitFrom));
    if (isEarlier) earlier.add(id);
    return !isEarlier;
  });
}

/** Returns how often each dish was ordered, and for how much, those ordered most first. */
export function dishRows(orders: readonly OrderedOrder[]): DishRow[] {
  const dishes = new Map<number, { name: string; quantity: number; amountMinor: number }>();
  const ordered = orders.flatMap(({ items }) => items.filter(({ isRemake }) => !isRemake));
  for (const { dishId, name, quantity, amountMinor } of ordered) {
    const before = dishes.get(dishId) ?? { quantity: 0, amountMinor: 0 };
    // A renamed dish has its newest name.
    dishes.set(dishId, { name, quantity: before.quantity + quantity, amountMinor: before.amountMinor + amountMinor });
  }
  return [...dishes]
    .toSorted(([firstId, first], [otherId, other]) => other.quantity - first.quantity || firstId - otherId)
    .map(([item_id, { name, quantity, amountMinor }]) => ({ item_id, name, quantity, amount: fromMinor(amountMinor) }));
}

/** Returns what was ordered in each local hour that has orders. */
export function hourRows(orders: readonly OrderedOrder[], timeZone: string): HourRow[] {
  const hours = new Map<number, { orders: number; items: number; amountMinor: number }>();
  for (const { at, splitFrom, items } of orders) {
    const lines = items.filter(({ isComponent, isRemake }) => !isComponent && !isRemake);
    if (lines.length === 0) continue;
    const hour = localHour(at.getTime(), timeZone);
    const before = hours.get(hour) ?? { orders: 0, items: 0, amountMinor: 0 };
    hours.set(hour, {
      orders: before.orders + (splitFrom === null ? 1 : 0),
      items: before.items + lines.length,
      amountMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, before.amountMinor),
    });
  }
  return [...hours]
    .toSorted(([first], [other]) => first - other)
    .map(([hour, { amountMinor, ...counted }]) => ({ hour, ...counted, amount: fromMinor(amountMinor) }));
}

/** Returns how long each station took from ordering to ready, in whole seconds. */
export function stationRows(orders: readonly OrderedOrder[]): StationRow[] {
  const stations = new Map<string, number[]>();
  for (const { station, seconds } of madeItems(orders)) {
    const all = stations.get(station) ?? [];
    all.push(seconds);
    stations.set(station, all);
  }
  return [...stations]
    .toSorted(([first], [other]) => (first < other ? -1 : 1))
    .map(([station, unsorted]) => {
      const sorted = unsorted.toSorted((first, other) => first - other);
      const times = { median_seconds: Math.round(medianOf(sorted)), p90_seconds: Math.round(percentile(sorted, 90)) };
      return { station, items: sorted.length, ...times };
    });
}

const madeItems = (orders: readonly OrderedOrder[]) =>
  orders.flatMap(({ at, items }) =>
    items.flatMap(({ readyAt, ...item }) =>
      readyAt === null ? [] : [{ ...item, readyAt, seconds: Math.max(0, (readyAt.getTime() - at.getTime()) / 1000) }],
    ),
  );

/** Returns the middle of sorted numbers, or the mean of the two in the middle. */
function medianOf(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}
/** Returns the nearest-rank percentile of sorted numbers. */
const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;

/** Returns how many items were ready later than the limit that held then, of all that are ready. */
export function lateOf(orders: readonly OrderedOrder[], lateMinutes: LateMinutes): { items: number; of: number } {
  const made = madeItems(orders);
  const late = made.filter((each) => each.seconds > lateMinutes(each, each.readyAt) * 60);
  return { items: late.length, of: made.length };
}
