import type { OrderInEvent } from './order.ts';
import { textKey } from './text-key.ts';

type Item = OrderInEvent['items'][number];
/** An order's state at one station: when a screen there first showed it, and when staff there acknowledged its allergies. */
export type OrderStation = NonNullable<OrderInEvent['stations']>[number];
type MarkedOrder = Pick<OrderInEvent, 'items' | 'stations' | 'seen_at' | 'seen_on' | 'allergies_read_at'>;

/** Returns an order's state at one station. Orders from earlier releases have only one state for all stations together. */
export function orderStation(order: MarkedOrder, name: string): OrderStation {
  const key = textKey(name);
  const own = order.stations?.find(({ station }) => textKey(station) === key);
  const { seen_at, seen_on = null, allergies_read_at = null } = order;
  return own ?? { station: name, seen_at, seen_on, allergies_read_at };
}

/** Returns an order's state at each of its stations, in the order of its items. */
export const orderStations = (order: MarkedOrder): OrderStation[] =>
  stationNames(order.items).map((name) => orderStation(order, name));

/** Returns the names of these items' stations, without repetitions, each spelled as on its first item. */
export function stationNames(items: readonly Pick<Item, 'station'>[]): string[] {
  const byKey = new Map<string, string>();
  for (const { station } of items) if (!byKey.has(textKey(station))) byKey.set(textKey(station), station);
  return [...byKey.values()];
}

/**
 * Returns the stations that have dishes to start but whose screens have not shown the order yet: no cook there may know about it.
 */
export const unseenStations = (order: MarkedOrder): string[] =>
  stationNames(order.items.filter(({ status }) => status === 'received')).filter(
    (name) => orderStation(order, name).seen_at === null,
  );
