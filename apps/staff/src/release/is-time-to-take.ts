import { nextTimeOfDay, type RestaurantClock } from '@comanda/contracts/restaurant-clock';

const nightTime = '04:00';

type Moment = {
  now: number;
  /** When the new release was found, in milliseconds. */
  foundAtMs: number;
  /** True if a reload, which takes about a second, would disturb nobody. */
  isQuiet: boolean;
} & Pick<RestaurantClock, 'timeZone'>;

/** Returns true if a screen should load a new release now: at a quiet moment, or else at the restaurant's next 4 a.m. */
export const isTimeToTake = ({ now, foundAtMs, isQuiet, timeZone }: Moment): boolean =>
  isQuiet || now >= nextTimeOfDay(nightTime, foundAtMs, timeZone);
