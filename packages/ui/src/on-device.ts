import { isTimeZone, defaultDayStartsAt, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { deviceEntry, isNumber, isObjectOf, isOneOf, isText, tabEntry } from './device-entry.ts';

const isClock = isObjectOf<{ timeZone: string; dayStartsAt: string }>({
  timeZone: (value): value is string => isText(value) && isTimeZone(value),
  dayStartsAt: (value): value is string => /^\d\d:\d\d$/.test(String(value)),
});

type Reload = { build: string; atMs: number };

/** What both apps store on the device. Values of earlier releases remain readable: change no name, and only add to a shape. */
export const onDevice = {
  /** Null: the system's theme. */
  theme: deviceEntry<'light' | 'dark' | null>('theme', isOneOf('light', 'dark'), null),
  /** Null: the browser's language. */
  language: deviceEntry<'en' | 'pt-BR' | null>('language', isOneOf('en', 'pt-BR'), null),
  restaurantClock: deviceEntry<RestaurantClock>('restaurant-time', isClock, {
    timeZone: undefined,
    dayStartsAt: defaultDayStartsAt,
  }),
  /** The release for which this tab was last reloaded, and when, in milliseconds by the device's clock. */
  release: tabEntry<Reload | null>('release', isObjectOf<Reload>({ build: isText, atMs: isNumber }), null),
};
