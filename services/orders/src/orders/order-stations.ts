import { stationNames } from '@comanda/contracts/order-stations';
import { textKey } from '@comanda/contracts/text-key';
import type { Marks, Order, OrderItem } from './order.ts';

/** Names of stations; null for all stations of an order. */
export type Stations = readonly string[] | null;

type HasItems = Pick<Order, 'items'>;
/** Returns the items at these stations. */
export function itemsAt({ items }: HasItems, stations: Stations): readonly OrderItem[] {
  if (stations === null) return items;
  const keys = new Set(stations.map(textKey));
  return items.filter(({ station }) => keys.has(textKey(station)));
}

/** Returns the order's stations, each with its marks. */
export function markedStations({ items }: HasItems): (Marks & { station: string })[] {
  const byStation = new Map<string, [OrderItem, ...OrderItem[]]>();
  for (const item of items) {
    const key = textKey(item.station);
    const own = byStation.get(key);
    if (own) own.push(item);
    else byStation.set(key, [item]);
  }
  return [...byStation.values()].map((own) => ({ station: own[0].station, ...marksOf(own) }));
}

/**
 * Returns the order's marks. Each is null until all items have it. Cancelled items don't count, unless all items are cancelled.
 */
export function marksOfOrder({ items }: HasItems): Marks {
  const wanted = items.filter(({ status }) => status !== 'cancelled');
  return marksOf(wanted.length > 0 ? wanted : items);
}

/** Returns the marks that all of these items have, with the latest times. Each mark is null while any item lacks it. */
function marksOf(items: readonly OrderItem[]): Marks {
  const seen = lastBy('seenAt', items);
  return {
    seenAt: seen?.seenAt ?? null,
    seenOn: seen?.seenOn ?? null,
    allergiesReadAt: lastBy('allergiesReadAt', items)?.allergiesReadAt ?? null,
  };
}

const lastBy = (mark: 'seenAt' | 'allergiesReadAt', items: readonly OrderItem[]): OrderItem | undefined =>
  items.toSorted((a, b) => timeOf(a[mark]) - timeOf(b[mark])).at(-1);
/** An item without a time sorts last. */
const timeOf = (at: Date | null): number => at?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** Returns the stations that got this mark in the change, and when. `at` is undefined if no station did. */
export function newlyMarked(mark: 'seenAt' | 'allergiesReadAt', before: HasItems, after: HasItems) {
  const items = after.items.filter((item, index) => item !== before.items[index]);
  return { stations: stationNames(items), at: items[0]?.[mark] ?? undefined };
}
