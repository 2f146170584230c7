import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';

/** The first of `count` consecutive ids, which no user and no guest has had. */
export async function takeUserIds(
  connection: Connection,
  { count, session }: { count: number; session?: Session },
): Promise<number> {
  const counters = connection.collection<{ _id: string; value: number }>('counters');
  const counter = await counters.findOneAndUpdate(
    { _id: 'usuarioID' },
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after', ...(session && { session }) },
  );
  return (counter?.value ?? count) - count + 1;
}
