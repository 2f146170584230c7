import type { DishRow, HourRow, StationRow } from '@comanda/contracts/reports';
import { limitsOf } from '@comanda/contracts/ticket-limits';
import { localHour } from '@comanda/contracts/restaurant-clock';
import { fromMinor } from '../money.ts';

/** An order in statistics, without its cancelled items. */
export type OrderedOrder = {
  id: number;
  at: Date;
  /** True if it was split off another order, so it isn't counted as an order. */
  isSplit: boolean;
  items: readonly OrderedItem[];
};
type OrderedItem = {
  dishId: number;
  name: string;
  quantity: number;
  /** 0 for a component, which is part of its combo's price. */
  amountMinor: number;
  isComponent: boolean;
  station: string;
  /** When the item was first ready or delivered; null if it isn't yet. */
  readyAt: Date | null;
};

/** Returns how often each dish was ordered, and for how much, those ordered most first. */
export function dishRows(orders: readonly OrderedOrder[]): DishRow[] {
  const dishes = new Map<number, { name: string; quantity: number; amountMinor: number }>();
  for (const { dishId, name, quantity, amountMinor } of orders.flatMap(({ items }) => items)) {
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
  for (const { at, isSplit, items } of orders) {
    const lines = items.filter(({ isComponent }) => !isComponent);
    if (lines.length === 0) continue;
    const hour = localHour(at.getTime(), timeZone);
    const before = hours.get(hour) ?? { orders: 0, items: 0, amountMinor: 0 };
    hours.set(hour, {
      orders: before.orders + (isSplit ? 0 : 1),
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
    items.flatMap((item) =>
      item.readyAt === null ? [] : [{ ...item, seconds: Math.max(0, (item.readyAt.getTime() - at.getTime()) / 1000) }],
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

export type Limits = {
  categoryOf: ReadonlyMap<number, string | null>;
  stations: ReadonlyMap<string, Parameters<typeof limitsOf>[1]['station']>;
  categories: Parameters<typeof limitsOf>[1]['categories'];
  /** The limits of a station without settings. */
  usual: Parameters<typeof limitsOf>[1]['station'];
};

/** Returns how many items were ready later than their limit, of all that are ready. */
export function lateOf(orders: readonly OrderedOrder[], limits: Limits): { items: number; of: number } {
  const made = madeItems(orders);
  const late = made.filter(({ dishId, station: name, seconds }) => {
    const station = limits.stations.get(name) ?? limits.usual;
    const dish = { item_id: dishId, category: limits.categoryOf.get(dishId) ?? null };
    return seconds > limitsOf(dish, { station, categories: limits.categories }).late_minutes * 60;
  });
  return { items: late.length, of: made.length };
}
