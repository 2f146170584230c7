import { isDeepStrictEqual } from 'node:util';
import type { RestaurantValues } from '@comanda/contracts/restaurant-changes';
import type { RestaurantChange } from './restaurant-change-store.ts';
import type { ManagedSettings } from './restaurant-settings.ts';

type BeforeAndAfter = Record<'before' | 'after', ManagedSettings>;

/** Returns the record of a change to the settings; null if nothing differs. It never contains the guests' Wi-Fi. */
export function changeOfRestaurant(
  { before, after }: BeforeAndAfter,
  who: Pick<RestaurantChange, 'at' | 'actor'>,
): RestaurantChange | null {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const names = Object.keys(now).filter((name) => !isDeepStrictEqual(old[name as Name], now[name as Name])) as Name[];
  const isOtherWifi = !isDeepStrictEqual(before.wifi, after.wifi);
  if (names.length === 0 && !isOtherWifi) return null;
  return {
    ...who,
    before: pick(old, names),
    after: { ...pick(now, names), ...(isOtherWifi && { wifi_changed: true }) },
  };
}

type Name = keyof RestaurantValues;
const pick = (values: RestaurantValues, names: readonly Name[]): RestaurantValues =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

const valuesOf = (settings: ManagedSettings): RestaurantValues => ({
  name: settings.name,
  language: settings.language,
  service_charge: settings.serviceCharge,
  tip_suggestions: [...settings.tipSuggestions],
  waiter_discount_limit: settings.waiterDiscountLimit,
  logo: settings.logo,
  accent: settings.accent,
  category_limits: [...settings.categoryLimits],
});
