import { startOfDate } from '@comanda/contracts/restaurant-clock';
import { dateOf, formatDate } from '@comanda/ui/format.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { todayMessages } from './messages.ts';

/** Formats a day's `business_date` as `Friday, 20 November`. Adds the year unless it is the current year. */
export function formatDayName(date: string, nowMs = Date.now()): string {
  const day = formatDate(startOfDate(date, restaurantClock.value));
  const year = date.slice(0, 4);
  return year === dateOf(nowMs).slice(0, 4) ? day : todayMessages().ofYear(day, year);
}
/** Returns the weekday of a `business_date`: 0 for Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
