import { CallFailure, type Client } from '@comanda/client/core';
import { defaultDayStartsAt, isTimeZone, utcOffsetMs, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { signal } from '@preact/signals';
import { stored } from './stored-setting.ts';

const askAgainMs = 30_000;

const isClock = (value: unknown): value is RestaurantClock => {
  const { timeZone, dayStartsAt } = (value ?? {}) as Partial<Record<keyof RestaurantClock, unknown>>;
  return typeof timeZone === 'string' && isTimeZone(timeZone) && /^\d\d:\d\d$/.test(String(dayStartsAt));
};
const kept = stored('restaurant-time', isClock, { timeZone: undefined, dayStartsAt: defaultDayStartsAt });

/**
 * The restaurant's time zone and start of day, as the server last sent them to this device. Before the first response, or if this
 * browser lacks the time zone, times on the screen are in the device's time zone.
 */
export const restaurantClock = signal<RestaurantClock>(kept.get());

/** Fetches the restaurant's time zone and stores it on this device. Call it once when the app starts, without waiting for it. */
export async function readRestaurantClock({ calls }: Pick<Client, 'calls'>): Promise<void> {
  try {
    const { time_zone: timeZone, day_starts_at: dayStartsAt = defaultDayStartsAt } = await calls.getRestaurant();
    const read = { timeZone, dayStartsAt };
    if (!isClock(read)) return;
    kept.write(read);
    restaurantClock.value = read;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    setTimeout(() => void readRestaurantClock({ calls }), askAgainMs);
  }
}

/**
 * Returns the name of the device's time zone if the device's clock differs from the restaurant's at this time (`at`, in
 * milliseconds since the epoch). Returns null if the clocks are the same.
 */
export function otherTimeZoneOfDevice(at: number): string | null {
  const { timeZone } = restaurantClock.value;
  if (utcOffsetMs(at, timeZone) === utcOffsetMs(at, undefined)) return null;
  // oxlint-disable-next-line no-restricted-properties -- the zone of the device is what is asked for
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
