import { randomUUID } from 'node:crypto';
import { defaultLanguage, languages, type Language } from '@comanda/contracts/rules';
import type { Connection, mongo } from 'mongoose';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';
import { dayAfter, type Counters, type NumbersToTake } from './counters.ts';
import type { OrderingPause } from './ordering-pause.ts';
import { defaultSettings, type RestaurantSettings } from './restaurant-settings.ts';

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
 * There is one document each for the counters of orders, dishes and calls, and one for the pause of ordering. Managers' settings
 * are stored with the counters of orders, because every batch reads these.
 */
type RestaurantDocument = Partial<WithOutbox> & {
  _id: 'orders' | 'dishes' | 'calls' | 'ordering';
  last_order_id?: number;
  last_item_id?: number;
  /** The date on which `business_day` ends. The previous release, whose days start at midnight, then continues its tickets. */
  day?: string;
  /** Absent until this release has accepted an order. */
  business_day?: string;
  last_ticket?: number;
  last_bill_id?: number;
  last_payment_id?: number;
  last_bill_number?: number;
  /** Absent until the first exception. */
  last_movement_id?: number;
  last_batch?: string;
  newest_seating?: number;
  newest_ended_seating?: number;
  database_epoch?: string;
  last_dish_id?: number;
  last_call_id?: number;
  seatings_ended?: number;
  paused_until?: Date | null;
  reason?: string | null;
  version?: number;
  settings?: SettingsDocument;
};

const number = { type: Number, min: 0, allowNull: false };
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
  last_batch: { type: String, maxlength: 64, allowNull: false },
  newest_seating: number,
  newest_ended_seating: number,
  database_epoch: { type: String, maxlength: 64, allowNull: false },
  last_dish_id: number,
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
  ...outboxFields,
}).index(...outboxIndex);

/** Inserts missing documents. Call this before using the store. It is safe to repeat. */
export async function insertRestaurantDocuments(connection: Connection): Promise<void> {
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

type Taken = {
  counters: Counters;
  settings: RestaurantSettings;
  /** The id of the last batch, or a random id if a seating has ended since; null before the first batch. */
  lastBatch: string | null;
  /** No seating with a higher number has an order. */
  newestSeating: number;
  /** No seating with a higher number has ended. */
  newestEnded: number;
};

const toSettings = (stored: SettingsDocument | undefined): RestaurantSettings =>
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

type Restaurant = mongo.Collection<RestaurantDocument>;
type NumbersFor = { batch: string; today: string; seatings: readonly number[] };

/**
 * Returns the day that the tickets belong to. If the previous release's date is later than the end of our business day, that
 * release has started a new day.
 */
const dayOf = ({ day = '', business_day: own }: RestaurantDocument): string =>
  own !== undefined && day <= dayAfter(own) ? own : day;

/** Creates the functions for the counters of orders, bills, payments and exceptions. */
const orderNumbers = (restaurant: Restaurant) => ({
  /**
   * Takes numbers for `batch`, which may start bills for `seatings`, on the business day `today`. Returns the state before. Until
   * it ends, the transaction conflicts with any other that takes numbers.
   */
  takeNumbers: async (
    numbers: NumbersToTake,
    { batch, today, seatings, session }: NumbersFor & { session: Session },
  ): Promise<Taken> => {
    const before = await restaurant.findOneAndUpdate(
      { _id: 'orders' },
      {
        $inc: {
          last_order_id: numbers.orders,
          last_item_id: numbers.items,
          last_ticket: numbers.orders,
          last_bill_id: numbers.bills,
          last_payment_id: numbers.payments,
          last_bill_number: numbers.billNumbers,
          last_movement_id: numbers.movements,
        },
        $set: { last_batch: batch },
        $max: { newest_seating: Math.max(0, ...seatings), business_day: today, day: dayAfter(today) },
      },
      { session, returnDocument: 'before' },
    );
    if (before?.newest_seating === undefined || before.newest_ended_seating === undefined)
      throw new Error('The counters of orders are missing.');
    const counters = {
      orderId: before.last_order_id ?? 0,
      itemId: before.last_item_id ?? 0,
      day: dayOf(before),
      ticket: before.last_ticket ?? 0,
      billId: before.last_bill_id ?? 0,
      paymentId: before.last_payment_id ?? 0,
      billNumber: before.last_bill_number ?? 0,
      movementId: before.last_movement_id ?? 0,
    };
    const { settings, last_batch: lastBatch = null } = before;
    const seatingNumbers = { newestSeating: before.newest_seating, newestEnded: before.newest_ended_seating };
    return { counters, settings: toSettings(settings), lastBatch, ...seatingNumbers };
  },
  /** Corrects the counters in the same transaction that took the numbers. */
  updateCounters: async (counters: Counters, session: Session): Promise<void> => {
    const numbers = {
      last_order_id: counters.orderId,
      last_item_id: counters.itemId,
      business_day: counters.day,
      day: dayAfter(counters.day),
      last_ticket: counters.ticket,
      last_bill_id: counters.billId,
      last_payment_id: counters.paymentId,
      last_bill_number: counters.billNumber,
      last_movement_id: counters.movementId,
    };
    await restaurant.updateOne({ _id: 'orders' }, { $set: numbers }, { session });
  },
});

/** Creates the function that records which seatings have ended. */
const seatingMarks = (restaurant: Restaurant) => ({
  /**
   * Marks the end of a seating. Until it ends, the transaction conflicts with any other that takes numbers. All later ones see
   * the mark, so no process continues with outdated data.
   */
  markSeatingEnded: async (seating: number, session: Session): Promise<void> => {
    const mark = {
      $inc: { seatings_ended: 1 },
      $max: { newest_ended_seating: seating },
      $set: { last_batch: randomUUID() },
    };
    await restaurant.updateOne({ _id: 'orders' }, mark, { session });
  },
});

const otherIds = (restaurant: Restaurant) => ({
  takeDishId: async (): Promise<number> => {
    const counter = await restaurant.findOneAndUpdate(
      { _id: 'dishes' },
      { $inc: { last_dish_id: 1 } },
      { returnDocument: 'after' },
    );
    if (counter?.last_dish_id === undefined) throw new Error('The counter of dishes is missing.');
    return counter.last_dish_id;
  },
  /**
   * Locks the categories. Until it ends, the transaction conflicts with any other that gives a dish a category's translations.
   */
  lockCategories: async (session: Session): Promise<void> => {
    await restaurant.updateOne({ _id: 'dishes' }, { $inc: { version: 1 } }, { session });
  },
  /** Takes the next call id. Until it ends, the transaction conflicts with any other that takes a call id. */
  takeCallId: async (session: Session): Promise<number> => {
    const counter = await restaurant.findOneAndUpdate(
      { _id: 'calls' },
      { $inc: { last_call_id: 1 } },
      { returnDocument: 'after', session },
    );
    if (counter?.last_call_id === undefined) throw new Error('The counter of calls is missing.');
    return counter.last_call_id;
  },
});

const databaseEpoch = (restaurant: Restaurant) => ({
  /** Returns the database's epoch, which changes when the database is restored from a backup. */
  getDatabaseEpoch: async (): Promise<string> => {
    const stored = await restaurant.findOne({ _id: 'orders' }, { projection: { database_epoch: 1 } });
    if (stored?.database_epoch === undefined) throw new Error('The epoch of the database is missing.');
    return stored.database_epoch;
  },
  /** Gives the database a new epoch, and skips `skipped` ids for dishes and for calls. Returns the new epoch. */
  beginDatabaseEpoch: async (skipped: number, session: Session): Promise<string> => {
    const database_epoch = randomUUID();
    await restaurant.updateOne({ _id: 'orders' }, { $set: { database_epoch } }, { session });
    await restaurant.updateOne({ _id: 'dishes' }, { $inc: { last_dish_id: skipped } }, { session });
    await restaurant.updateOne({ _id: 'calls' }, { $inc: { last_call_id: skipped } }, { session });
    return database_epoch;
  },
});

const managersSettings = (restaurant: Restaurant) => ({
  /** Returns the managers' settings, or the defaults. */
  getSettings: async (): Promise<RestaurantSettings> => {
    const stored = await restaurant.findOne({ _id: 'orders' }, { projection: { settings: 1 } });
    return toSettings(stored?.settings);
  },
  /** Writes settings with the next version. @throws WriteConflict */
  updateSettings: async (settings: RestaurantSettings): Promise<void> => {
    const fields: SettingsDocument = {
      name: settings.name,
      language: settings.language,
      service_charge: settings.serviceCharge,
      tip_suggestions: [...settings.tipSuggestions],
      waiter_discount_limit: settings.waiterDiscountLimit,
      version: settings.version,
    };
    const before = settings.version - 1;
    const isOfBefore =
      before === defaultSettings.version ? { settings: { $exists: false } } : { 'settings.version': before };
    const { matchedCount } = await restaurant.updateOne(
      { _id: 'orders', ...isOfBefore },
      { $set: { settings: fields } },
      { maxTimeMS: 900 },
    );
    if (matchedCount === 0) throw new WriteConflict();
  },
});

const orderingPause = (restaurant: Restaurant) => ({
  getPause: async (session?: Session): Promise<OrderingPause> => {
    const options = { projection: { outbox: 0 }, ...(session && { session }) };
    const stored = await restaurant.findOne({ _id: 'ordering' }, options);
    if (stored?.version === undefined) throw new Error('The pause of ordering is missing.');
    return { until: stored.paused_until ?? null, reason: stored.reason ?? null, version: stored.version };
  },
  /**
   * Writes a pause with the next version. Returns the document's id and all events in its outbox after the write, oldest first.
   * @throws WriteConflict
   */
  updatePause: async (
    { until, reason, version }: OrderingPause,
    { message, session }: { message: Message; session: Session },
  ): Promise<{ documentId: string; outbox: readonly Message[] }> => {
    const stored = await restaurant.findOneAndUpdate(
      { _id: 'ordering', version: version - 1 },
      { $set: { paused_until: until, reason, version }, $push: { outbox: message } },
      { returnDocument: 'after', maxTimeMS: 900, session },
    );
    if (!stored) throw new WriteConflict();
    return { documentId: 'ordering', outbox: stored.outbox ?? [] };
  },
});

export type RestaurantStore = ReturnType<typeof createRestaurantStore>;

/** Creates the store for data that exists once per restaurant: counters, settings, and whether customers can order. */
export function createRestaurantStore(connection: Connection) {
  const restaurant = collectionOf(connection, restaurantSchema);
  return {
    collection: restaurant as unknown as mongo.Collection,
    ...orderNumbers(restaurant),
    ...seatingMarks(restaurant),
    ...otherIds(restaurant),
    ...databaseEpoch(restaurant),
    ...managersSettings(restaurant),
    ...orderingPause(restaurant),
  };
}
