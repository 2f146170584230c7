import { startOfDate } from '@comanda/contracts/restaurant-clock';
import { formatDate } from '@comanda/ui/format.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';

/** Formats a day's `business_date` as `Friday, 20 November`. */
export const formatDayName = (date: string): string => formatDate(startOfDate(date, restaurantClock.value));
/** Returns the weekday of a `business_date`: 0 for Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
