import { defaultLanguage, type Language } from '@comanda/contracts/rules';
import type { Restaurant } from '@comanda/contracts/restaurant';
import type { RestaurantProfile } from './restaurant-profile.ts';

/** The managers' settings that batches use. `version` grows by 1 with each change of any setting. */
export type RestaurantSettings = {
  name: string;
  /** The menu's language. */
  language: Language;
  /** `rate`: the service charge in percent. `optional`: true if guests may decline it. */
  serviceCharge: { rate: string; optional: boolean };
  /** The suggested tips, in percent. */
  tipSuggestions: readonly string[];
  /** The largest discount that waiters may give, as a percentage of a bill's items. */
  waiterDiscountLimit: string;
  version: number;
};

/** All of the managers' settings. */
export type ManagedSettings = RestaurantSettings & RestaurantProfile;

/** The settings until a manager changes them: no service charge, no suggested tips, and no discounts by waiters. */
export const defaultSettings: RestaurantSettings = {
  name: 'Comanda',
  language: defaultLanguage,
  serviceCharge: { rate: '0.00', optional: true },
  tipSuggestions: [],
  waiterDiscountLimit: '0.00',
  version: 0,
};

/** Settings that are fixed when the service starts. */
export type FixedSettings = { currency: string; timeZone: string; dayStartsAt: string };

/** Returns what everyone may know about the restaurant, which does not include the guests' Wi-Fi. */
export const toRestaurant = (
  settings: ManagedSettings,
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
  logo: settings.logo,
  accent: settings.accent,
  category_limits: [...settings.categoryLimits],
  version: settings.version,
});
