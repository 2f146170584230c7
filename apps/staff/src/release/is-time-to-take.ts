import { nextTimeOfDay, type RestaurantClock } from '@comanda/contracts/restaurant-clock';

const nightTime = '04:00';

type Moment = {
  now: number;
  /** When the new release was noticed. */
  foundAtMs: number;
  /** Whether nobody would miss the page for the second of a reload. */
  isQuiet: boolean;
} & Pick<RestaurantClock, 'timeZone'>;

/** Whether a screen takes a new release now: at a quiet moment, else at the restaurant's next 4 o'clock in the morning. */
export const isTimeToTake = ({ now, foundAtMs, isQuiet, timeZone }: Moment): boolean =>
  isQuiet || now >= nextTimeOfDay(nightTime, foundAtMs, timeZone);
