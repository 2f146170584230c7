import { stationNames } from '@comanda/contracts/order-stations';
import { textKey } from '@comanda/contracts/text-key';
import type { Marks, Order, OrderItem } from './order.ts';

/** The stations' names; null for the whole order. */
export type Stations = readonly string[] | null;

type HasItems = Pick<Order, 'items'>;
/** Returns the items at these stations. */
export function itemsAt({ items }: HasItems, stations: Stations): readonly OrderItem[] {
  if (stations === null) return items;
  const keys = new Set(stations.map(textKey));
  return items.filter(({ station }) => keys.has(textKey(station)));
}

/** Returns each of the order's stations, with its marks. */
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

/** Returns the marks for all stations that have something to cook; for all stations if everything is cancelled. */
export function marksOfOrder({ items }: HasItems): Marks {
  const wanted = items.filter(({ status }) => status !== 'cancelled');
  return marksOf(wanted.length > 0 ? wanted : items);
}

/** Null until all of these items have the mark; after that, the mark of the last one. */
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
/** Items without a time come last. */
const timeOf = (at: Date | null): number => at?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** Returns the stations that got a mark between `before` and `after`, and when; undefined if none has. */
export function newlyMarked(mark: 'seenAt' | 'allergiesReadAt', before: HasItems, after: HasItems) {
  const items = after.items.filter((item, index) => item !== before.items[index]);
  return { stations: stationNames(items), at: items[0]?.[mark] ?? undefined };
}
