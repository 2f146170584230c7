import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';

type CounterDocument = { _id: string; value: number };
export const counterSchema = collectionSchema<CounterDocument>('counters', {
  _id: { type: String },
  value: { type: Number, required: true, min: 1 },
});

/** Reserves `count` consecutive numbers from a counter and returns the first. In a transaction, they are reserved on commit. */
export async function takeNumbers(
  connection: Connection,
  { of: _id, count = 1, session }: { of: 'usuarioID' | 'seating' | 'audit'; count?: number; session?: Session },
): Promise<number> {
  const counter = await collectionOf(connection, counterSchema).findOneAndUpdate(
    { _id },
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after', ...(session && { session }) },
  );
  return (counter?.value ?? count) - count + 1;
}
