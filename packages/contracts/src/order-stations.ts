import type { OrderInEvent } from './orders.ts';
import { textKey } from './text-key.ts';

type Item = OrderInEvent['items'][number];
/** What the screens of one station have shown and read of an order. */
export type OrderStation = NonNullable<OrderInEvent['stations']>[number];
type MarkedOrder = Pick<OrderInEvent, 'items' | 'stations' | 'seen_at' | 'seen_on' | 'allergies_read_at'>;

/** What one station has shown and read. An order of an earlier release says it only of all its stations together. */
export function orderStation(order: MarkedOrder, name: string): OrderStation {
  const key = textKey(name);
  const own = order.stations?.find(({ station }) => textKey(station) === key);
  const { seen_at, seen_on = null, allergies_read_at = null } = order;
  return own ?? { station: name, seen_at, seen_on, allergies_read_at };
}

/** The stations of an order, each once, in the order of its items. */
export const orderStations = (order: MarkedOrder): OrderStation[] =>
  stationNames(order.items).map((name) => orderStation(order, name));

/** The distinct stations of these items, as the first item of each writes it. */
export function stationNames(items: readonly Pick<Item, 'station'>[]): string[] {
  const byKey = new Map<string, string>();
  for (const { station } of items) if (!byKey.has(textKey(station))) byKey.set(textKey(station), station);
  return [...byKey.values()];
}

/** The stations that have dishes which nobody has begun, and have not shown the order: nobody there may know of it. */
export const unseenStations = (order: MarkedOrder): string[] =>
  stationNames(order.items.filter(({ status }) => status === 'received')).filter(
    (name) => orderStation(order, name).seen_at === null,
  );
