import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { billSchema } from './bills/bill-document.ts';
import { orderSchema } from './order-document.ts';
import { restaurantSchema } from '../restaurant/restaurant-store.ts';

/** Notes the highest number of a seating that something was ordered for, in counters that have none yet. It may be repeated. */
export async function noteNewestSeating(connection: Connection): Promise<void> {
  const restaurant = collectionOf(connection, restaurantSchema);
  const withoutNote = { _id: 'orders', newest_seating: { $exists: false } } as const;
  if ((await restaurant.countDocuments(withoutNote)) === 0) return;
  const highest = { $group: { _id: null, seating: { $max: '$seating' } } };
  const stored = await Promise.all([
    collectionOf(connection, billSchema).aggregate<{ seating: number | null }>([highest]).toArray(),
    collectionOf(connection, orderSchema).aggregate<{ seating: number | null }>([highest]).toArray(),
  ]);
  const newest_seating = Math.max(0, ...stored.flat().map(({ seating }) => seating ?? 0));
  await restaurant.updateOne(withoutNote, { $set: { newest_seating } });
}
