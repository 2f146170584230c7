import mongoose from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Counters, Numbers, Pause } from './house.ts';

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
    /**
     * Takes so many numbers and returns the last ones that had been given out before. Whoever else takes some meanwhile
     * conflicts with this transaction.
     */
    takeNumbers: async ({ orders, items }: Numbers, session: Session): Promise<Counters> => {
      const before = await house.findOneAndUpdate(
        { _id: 'orders' },
        { $inc: { last_order_id: orders, last_item_id: items, last_ticket: orders } },
        { session, returnDocument: 'before' },
      );
      if (!before) throw new Error('the counters of orders are gone');
      const { last_order_id: orderId = 0, last_item_id: itemId = 0, day = '', last_ticket: ticket = 0 } = before;
      return { orderId, itemId, day, ticket };
    },
    /** What was given out in the end, in the transaction that took the numbers. */
    setNumbers: async ({ orderId, itemId, day, ticket }: Counters, session: Session): Promise<void> => {
      const numbers = { last_order_id: orderId, last_item_id: itemId, day, last_ticket: ticket };
      await house.updateOne({ _id: 'orders' }, { $set: numbers }, { session });
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
