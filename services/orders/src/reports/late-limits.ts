import { defaultStation } from '@comanda/contracts/rules';
import { limitsOf } from '@comanda/contracts/ticket-limits';
import type { MenuStore } from '../menu/menu-store.ts';
import type { RestaurantChangeStore } from '../restaurant/restaurant-change-store.ts';
import type { SettingsStore } from '../restaurant/settings-store.ts';
import type { StationStore } from '../stations/station-store.ts';

export type LateLimitsDeps = {
  menu: Pick<MenuStore, 'getAll'>;
  stations: Pick<StationStore, 'findLimits'>;
  settings: Pick<SettingsStore, 'get'>;
  restaurantChanges: Pick<RestaurantChangeStore, 'findReplacedLimits'>;
};
/** Returns after how many minutes a dish at a station was late, by the limits that held at this time. */
export type LateMinutes = (made: { dishId: number; station: string }, at: Date) => number;

/** Returns what held at a time. `earlier`: what held before, oldest first, each with its end. */
const heldAt = <T, E extends { until: Date }>(at: Date, { now, earlier }: { now: T; earlier: readonly E[] }): T | E =>
  earlier.find(({ until }) => at < until) ?? now;

/** Reads the limits that have held since this time. A dish's category is that of now. */
export async function readLateMinutes(
  { menu, stations, settings, restaurantChanges }: LateLimitsDeps,
  since: Date,
): Promise<LateMinutes> {
  const [dishes, all, managed, replaced] = await Promise.all([
    menu.getAll(),
    stations.findLimits(),
    settings.get(),
    restaurantChanges.findReplacedLimits(since),
  ]);
  const categoryOf = new Map(dishes.map(({ id, category }) => [id, category]));
  const stationOf = new Map(all.map((each) => [each.station, each]));
  const usual = { ...defaultStation, dishes: [] };
  const categories = { limits: [...managed.categoryLimits] };
  return ({ dishId, station: name }, at) => {
    const known = stationOf.get(name);
    const station = known ? heldAt(at, { now: known, earlier: known.earlier }) : usual;
    const { limits } = heldAt(at, { now: categories, earlier: replaced });
    const dish = { item_id: dishId, category: categoryOf.get(dishId) ?? null };
    return limitsOf(dish, { station, categories: limits }).late_minutes;
  };
}
