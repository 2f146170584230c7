import type { OrderStatus } from '@comanda/contracts/order';
import { defaultStation } from '@comanda/contracts/rules';
import type { Restaurant } from '@comanda/contracts/restaurant';
import type { Station } from '@comanda/contracts/stations';
import { limitsOf as limitsOfDish } from '@comanda/contracts/ticket-limits';
import { expediter } from './all-stations.ts';
import { stationKey, type AgeLimits, type OrderItem } from './ticket.ts';

/** How the stations work. */
export type StationRules = {
  /** The stations that managers have configured. */
  stations: readonly Station[];
  /** How many taps a ticket takes at any other station, and on a board for all stations, as this device's shift has chosen. */
  taps: number;
};

/** The restaurant's limits by category, and the category of each dish by its id. */
export type CategoryLimits = {
  limits: NonNullable<Restaurant['category_limits']>;
  categoryOf: Readonly<Record<number, string | null>>;
};

/** Returns what managers have configured for a station; undefined if they have not, and for a board for all stations. */
export const configuredAt = (stations: readonly Station[], station: string): Station | undefined =>
  stations.find((each) => stationKey(each.station) === stationKey(station));
export const rulesOf = ({ stations, taps }: StationRules, station: string): Omit<Station, 'station'> =>
  configuredAt(stations, station) ?? { ...defaultStation, bumps: taps, dishes: [] };

/** Returns true if a ticket leaves the station's screen when it is ready, so that another person hands it out. */
export const leavesWhenReady = (rules: StationRules, station: string): boolean =>
  station !== expediter && rulesOf(rules, station).bumps < 3;

/** Returns the status to which a bump at this station moves a dish from `status`; null if there is none. */
export function nextAt(rules: StationRules, station: string, status: OrderStatus): OrderStatus | null {
  if (station === expediter) return status === 'ready' ? 'delivered' : null;
  const { bumps } = rulesOf(rules, station);
  if (status === 'received') return bumps === 1 ? 'ready' : 'preparing';
  if (status === 'preparing') return 'ready';
  return status === 'ready' && bumps === 3 ? 'delivered' : null;
}

/**
 * Returns when a ticket turns amber and when it is late: by the limits of its dishes, their categories or their stations,
 * whichever comes first. Finished dishes count only if all are finished.
 */
export function limitsOf(
  rules: StationRules,
  items: readonly OrderItem[],
  { limits: categories, categoryOf }: CategoryLimits,
): AgeLimits {
  const open = items.filter(({ status }) => status === 'received' || status === 'preparing');
  const limits = (open.length > 0 ? open : items).map(({ station, item_id: id }) =>
    limitsOfDish({ item_id: id, category: categoryOf[id] ?? null }, { station: rulesOf(rules, station), categories }),
  );
  const least = (minutes: readonly number[]): number => Math.min(...minutes) * 60_000;
  return {
    amberMs: least(limits.map(({ amber_minutes: minutes }) => minutes)),
    lateMs: least(limits.map(({ late_minutes: minutes }) => minutes)),
  };
}
