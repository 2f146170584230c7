import { defaultLanguage, type Language } from '@comanda/contracts/rules';
import type { Restaurant } from '@comanda/contracts/restaurant';

/** What a manager has set, and how often it was changed. */
export type RestaurantSettings = {
  name: string;
  /** In which the menu is written. */
  language: Language;
  /** `rate` in percent. Where it is `optional`, guests may decline it. */
  serviceCharge: { rate: string; optional: boolean };
  /** In percent. */
  tipSuggestions: readonly string[];
  /** How much of a bill waiters may discount, in percent of its items. */
  waiterDiscountLimit: string;
  version: number;
};

/** Nothing is charged, suggested or allowed that nobody has set. */
export const defaultSettings: RestaurantSettings = {
  name: 'Comanda',
  language: defaultLanguage,
  serviceCharge: { rate: '0.00', optional: true },
  tipSuggestions: [],
  waiterDiscountLimit: '0.00',
  version: 0,
};

/** What is fixed when the service starts. */
export type FixedSettings = { currency: string; timeZone: string; dayStartsAt: string };

export const toRestaurant = (
  settings: RestaurantSettings,
  { currency, timeZone, dayStartsAt }: FixedSettings,
): Restaurant => ({
  name: settings.name,
  currency,
  time_zone: timeZone,
  day_starts_at: dayStartsAt,
  language: settings.language,
  service_charge: settings.serviceCharge,
  tip_suggestions: [...settings.tipSuggestions],
  waiter_discount_limit: settings.waiterDiscountLimit,
  version: settings.version,
});
