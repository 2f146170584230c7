import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { billSchema } from './bills/bill-document.ts';
import { orderSchema } from './order-document.ts';
import { restaurantSchema } from '../restaurant/restaurant-store.ts';
import { endedSeatingSchema } from '../seatings/ended-seating-store.ts';

/**
 * Notes the highest number of a seating that something was ordered for, and the highest of one that has ended, in counters
 * that have none yet. It may be repeated.
 */
export async function noteNewestSeatings(connection: Connection): Promise<void> {
  const restaurant = collectionOf(connection, restaurantSchema);
  const note = async (field: string, sources: readonly Source[]): Promise<void> => {
    const withoutNote = { _id: 'orders', [field]: { $exists: false } } as const;
    if ((await restaurant.countDocuments(withoutNote)) === 0) return;
    const found = await Promise.all(sources.map((source) => highestOf(connection, source)));
    await restaurant.updateOne(withoutNote, { $set: { [field]: Math.max(0, ...found) } });
  };
  await note('newest_seating', [
    { schema: billSchema, field: 'seating' },
    { schema: orderSchema, field: 'seating' },
  ]);
  await note('newest_ended_seating', [{ schema: endedSeatingSchema, field: '_id' }]);
}

type Source = { schema: { get: (option: 'collection') => string | undefined }; field: string };

async function highestOf(connection: Connection, { schema, field }: Source): Promise<number> {
  const stages = [{ $group: { _id: null, highest: { $max: `$${field}` } } }];
  const collection = connection.collection(schema.get('collection') ?? '');
  const [found] = await collection.aggregate<{ highest: number | null }>(stages).toArray();
  return found?.highest ?? 0;
}
