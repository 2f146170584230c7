import { CallFailure, type Client } from '@comanda/client/core';
import { defaultDayStartsAt, isTimeZone, utcOffsetMs, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import type { Restaurant } from '@comanda/contracts/restaurant';
import { computed } from '@preact/signals';
import { onDevice } from './on-device.ts';

const askAgainMs = 30_000;

/**
 * The restaurant's time zone and start of day, as the server last sent them to this device. Before the first response, or if this
 * browser lacks the time zone, times on the screen are in the device's time zone.
 */
export const restaurantClock = computed<RestaurantClock>(() => onDevice.restaurantClock.signal.value);

/**
 * Fetches the restaurant's settings, and stores its time zone on this device. Call it once when the app starts, without waiting
 * for it. `onRead` gets all settings.
 */
export async function readRestaurantClock(
  { calls }: Pick<Client, 'calls'>,
  onRead?: (restaurant: Restaurant) => void,
): Promise<void> {
  try {
    const restaurant = await calls.getRestaurant();
    onRead?.(restaurant);
    const { time_zone: timeZone, day_starts_at: dayStartsAt = defaultDayStartsAt } = restaurant;
    if (isTimeZone(timeZone)) onDevice.restaurantClock.write({ timeZone, dayStartsAt });
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    setTimeout(() => void readRestaurantClock({ calls }, onRead), askAgainMs);
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
