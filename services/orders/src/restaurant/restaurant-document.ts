import { randomUUID } from 'node:crypto';
import { defaultLanguage, languages, type Language } from '@comanda/contracts/rules';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { MongoLink } from '@comanda/shared/mongo/connection';
import { emptyProfile, type CategoryLimits, type RestaurantProfile } from './restaurant-profile.ts';
import { defaultSettings, type RestaurantSettings } from './restaurant-settings.ts';
import type { Wifi } from '@comanda/contracts/restaurant';

type SettingsDocument = {
  name: string;
  /** Absent in settings from the first release. */
  language?: Language;
  service_charge: RestaurantSettings['serviceCharge'];
  tip_suggestions: string[];
  waiter_discount_limit: string;
  version: number;
};
/**
 * A document with counters or with the ordering pause. `orders`, `dishes` and `calls` contain counters, and `ordering` contains
 * the pause. `orders` also contains the managers' settings, because every batch reads that document.
 */
export type RestaurantDocument = Partial<WithOutbox> & {
  _id: 'orders' | 'dishes' | 'calls' | 'ordering';
  last_order_id?: number;
  last_item_id?: number;
  /**
   * The date after `business_day`. If the previous release runs again, it continues the tickets until then: its days end at
   * midnight.
   */
  day?: string;
  /** The business day of the last ticket, for example `2026-11-30`. Absent until this release has accepted an order. */
  business_day?: string;
  last_ticket?: number;
  last_bill_id?: number;
  last_payment_id?: number;
  last_bill_number?: number;
  /** Absent until the first exception. */
  last_movement_id?: number;
  /** The running day. Absent until the preparation of the first release with days has started day 1. */
  day_number?: number;
  day_opened_at?: Date;
  /** The number of the last bill that was closed for the first time before the running day. */
  day_bill_number?: number;
  /** The id of the last order before the running day. */
  day_order_id?: number;
  day_marks?: DayMarksDocument;
  last_batch?: string;
  newest_seating?: number;
  newest_ended_seating?: number;
  database_epoch?: string;
  last_dish_id?: number;
  /** Absent until the first option group. */
  last_option_group_id?: number;
  last_option_id?: number;
  last_call_id?: number;
  seatings_ended?: number;
  paused_until?: Date | null;
  reason?: string | null;
  version?: number;
  settings?: SettingsDocument;
  /** The profile's fields are not in `settings`, because release 1.0.0 replaces `settings` and would drop them. */
  logo?: string | null;
  accent?: string | null;
  category_limits?: CategoryLimits[];
  wifi?: Wifi | null;
};

/**
 * Where to look for what an instance of the last release has written since: it writes no movements, and closes bills without
 * their day. Counting and closing enter what is missing.
 */
export type DayMarksDocument = {
  /** Payments with higher ids, and those that were `in_flight`, may lack their movement. */
  payment_id: number;
  in_flight: number[];
  /** Bills with higher numbers, and numbered bills that were open, may lack their day. */
  bill_number: number;
  open_numbered: number[];
  /** Refunds since then may lack their movement, except those of the payments in `refunded_before`. */
  refunds_since: Date;
  refunded_before: number[];
  /** What open bills had been paid when day 1 started. */
  unsettled: string;
};
const number = { type: Number, min: 0, allowNull: false };
const numbers = { type: [Number], required: true };
const dayMarksSchema = embeddedSchema<DayMarksDocument>({
  payment_id: { type: Number, required: true, min: 0 },
  in_flight: numbers,
  bill_number: { type: Number, required: true, min: 0 },
  open_numbered: numbers,
  refunds_since: { type: Date, required: true },
  refunded_before: numbers,
  unsettled: { type: String, required: true, maxlength: 24 },
});
const minutes = { type: Number, required: true, min: 1, max: 240 };
export const restaurantSchema = collectionSchema<RestaurantDocument>('restaurant', {
  _id: { type: String, enum: ['orders', 'dishes', 'calls', 'ordering'] },
  last_order_id: number,
  last_item_id: number,
  day: { type: String, maxlength: 10, allowNull: false },
  business_day: { type: String, maxlength: 10, allowNull: false },
  last_ticket: number,
  last_bill_id: number,
  last_payment_id: number,
  last_bill_number: number,
  last_movement_id: number,
  day_number: number,
  day_opened_at: { type: Date, allowNull: false },
  day_bill_number: number,
  day_order_id: number,
  day_marks: { type: dayMarksSchema, allowNull: false },
  last_batch: { type: String, maxlength: 64, allowNull: false },
  newest_seating: number,
  newest_ended_seating: number,
  database_epoch: { type: String, maxlength: 64, allowNull: false },
  last_dish_id: number,
  last_option_group_id: number,
  last_option_id: number,
  last_call_id: number,
  seatings_ended: number,
  paused_until: { type: Date },
  reason: { type: String, maxlength: 200 },
  version: number,
  settings: {
    type: embeddedSchema<SettingsDocument>({
      name: { type: String, required: true, maxlength: 60 },
      language: { type: String, enum: languages, allowNull: false },
      service_charge: {
        type: embeddedSchema<RestaurantSettings['serviceCharge']>({
          rate: { type: String, required: true, maxlength: 6 },
          optional: { type: Boolean, required: true },
        }),
        required: true,
      },
      tip_suggestions: { type: [String], required: true },
      waiter_discount_limit: { type: String, required: true, maxlength: 6 },
      version: { type: Number, required: true, min: 0 },
    }),
    allowNull: false,
  },
  logo: { type: String, maxlength: 255 },
  accent: { type: String, maxlength: 7 },
  category_limits: {
    type: [
      embeddedSchema<CategoryLimits>({
        category: { type: String, required: true, maxlength: 64 },
        amber_minutes: minutes,
        late_minutes: minutes,
      }),
    ],
    allowNull: false,
  },
  wifi: {
    type: embeddedSchema<Wifi>({
      ssid: { type: String, required: true, maxlength: 32 },
      password: { type: String, maxlength: 64 },
    }),
  },
  ...outboxFields,
}).index(...outboxIndex);

/** Inserts missing documents. Call this before you use the stores. It is safe to repeat. */
export async function insertRestaurantDocuments(connection: MongoLink['connection']): Promise<void> {
  const restaurant = collectionOf(connection, restaurantSchema);
  const seatings = { newest_seating: 0, newest_ended_seating: 0 };
  const first = { last_order_id: 0, last_item_id: 0, day: '', last_ticket: 0, ...seatings };
  await Promise.all([
    restaurant.updateOne({ _id: 'orders' }, { $setOnInsert: first }, { upsert: true }),
    restaurant.updateOne({ _id: 'dishes' }, { $setOnInsert: { last_dish_id: 0 } }, { upsert: true }),
    restaurant.updateOne({ _id: 'calls' }, { $setOnInsert: { last_call_id: 0 } }, { upsert: true }),
    restaurant.updateOne(
      { _id: 'ordering' },
      { $setOnInsert: { paused_until: null, reason: null, version: 1, outbox: [] } },
      { upsert: true },
    ),
  ]);
  await restaurant.updateOne(
    { _id: 'orders', database_epoch: { $exists: false } },
    { $set: { database_epoch: randomUUID() } },
  );
}

export const toSettings = (stored: SettingsDocument | undefined): RestaurantSettings =>
  stored
    ? {
        name: stored.name,
        language: stored.language ?? defaultLanguage,
        serviceCharge: stored.service_charge,
        tipSuggestions: stored.tip_suggestions,
        waiterDiscountLimit: stored.waiter_discount_limit,
        version: stored.version,
      }
    : defaultSettings;

export const toSettingsDocument = (settings: RestaurantSettings): SettingsDocument => ({
  name: settings.name,
  language: settings.language,
  service_charge: settings.serviceCharge,
  tip_suggestions: [...settings.tipSuggestions],
  waiter_discount_limit: settings.waiterDiscountLimit,
  version: settings.version,
});

export const toProfile = ({
  logo,
  accent,
  category_limits: limits,
  wifi,
}: Partial<RestaurantDocument>): RestaurantProfile => ({
  logo: logo ?? emptyProfile.logo,
  accent: accent ?? emptyProfile.accent,
  categoryLimits: limits ?? emptyProfile.categoryLimits,
  wifi: wifi ?? emptyProfile.wifi,
});

export const toProfileDocument = ({ logo, accent, categoryLimits, wifi }: RestaurantProfile) => ({
  logo,
  accent,
  category_limits: [...categoryLimits],
  wifi,
});
/** Leaves out the profile, its events and what only closings need, so that batches don't load them. */
export const withoutProfile = {
  day_marks: 0,
  logo: 0,
  accent: 0,
  category_limits: 0,
  wifi: 0,
  outbox: 0,
  outbox_claim: 0,
} as const;
