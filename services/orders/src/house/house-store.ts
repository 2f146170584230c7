import mongoose from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Session } from '@comanda/shared/mongo/transaction-store';
import type { Counters, Pause } from './house.ts';

type HouseDocument = {
  _id: 'orders' | 'dishes' | 'ordering';
  last_order_id?: number;
  last_item_id?: number;
  day?: string;
  last_ticket?: number;
  last_dish_id?: number;
  paused_until?: Date | null;
  reason?: string | null;
  outbox?: Message[];
};

const houseSchema = new mongoose.Schema(
  { _id: String },
  { collection: 'house', autoIndex: false, autoCreate: false, versionKey: false, strict: false },
);

export type HouseStore = ReturnType<typeof createHouseStore>;

/** What there is one of in the house: the counters, and whether it takes orders. */
export function createHouseStore(connection: Connection) {
  const model = connection.model('House', houseSchema);
  const house = model.collection as unknown as mongo.Collection<HouseDocument>;
  return {
    collection: house as unknown as mongo.Collection,
    prepare: async (): Promise<void> => {
      await model.createCollection();
      const first = { last_order_id: 0, last_item_id: 0, day: '', last_ticket: 0 };
      await Promise.all([
        house.updateOne({ _id: 'orders' }, { $setOnInsert: first }, { upsert: true }),
        house.updateOne({ _id: 'dishes' }, { $setOnInsert: { last_dish_id: 0 } }, { upsert: true }),
        house.updateOne(
          { _id: 'ordering' },
          { $setOnInsert: { paused_until: null, reason: null, outbox: [] } },
          { upsert: true },
        ),
      ]);
    },
    counters: async (): Promise<Counters> => {
      const found = await house.findOne({ _id: 'orders' });
      const { last_order_id: orderId = 0, last_item_id: itemId = 0, day = '', last_ticket: ticket = 0 } = found ?? {};
      return { orderId, itemId, day, ticket };
    },
    /** Takes all numbers up to `next`; false where somebody else took some since `known` was read. */
    takeNumbers: async ({ known, next }: { known: Counters; next: Counters }, session: Session): Promise<boolean> => {
      const { matchedCount } = await house.updateOne(
        { _id: 'orders', last_order_id: known.orderId },
        {
          $inc: { last_order_id: next.orderId - known.orderId, last_item_id: next.itemId - known.itemId },
          $set: { day: next.day, last_ticket: next.ticket },
        },
        { session },
      );
      return matchedCount === 1;
    },
    nextDishId: async (): Promise<number> => {
      const found = await house.findOneAndUpdate(
        { _id: 'dishes' },
        { $inc: { last_dish_id: 1 } },
        { returnDocument: 'after' },
      );
      if (found?.last_dish_id === undefined) throw new Error('the counter of dishes is gone');
      return found.last_dish_id;
    },
    pause: async (): Promise<Pause> => {
      const found = await house.findOne({ _id: 'ordering' }, { projection: { outbox: 0 } });
      return { until: found?.paused_until ?? null, reason: found?.reason ?? null };
    },
    /** Returns the document's id and the events that wait after it, oldest first. */
    setPause: async (
      { until, reason }: Pause,
      message: Message,
    ): Promise<{ id: string; messages: readonly Message[] }> => {
      const found = await house.findOneAndUpdate(
        { _id: 'ordering' },
        { $set: { paused_until: until, reason }, $push: { outbox: message } },
        { returnDocument: 'after', upsert: true },
      );
      return { id: 'ordering', messages: found?.outbox ?? [] };
    },
  };
}
