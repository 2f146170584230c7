import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';

type CounterDocument = { _id: string; value: number };
export const counterSchema = collectionSchema<CounterDocument>('counters', {
  _id: { type: String },
  value: { type: Number, required: true, min: 1 },
});
export type NextId = () => Promise<number>;

/**
 * Returns a function that assigns ids from the counter `name`. Ids are positive and unique across all instances, but a later id
 * may be lower than an earlier one. Ids are fetched in blocks of `blockSize`. When the process ends, the unused ids of its block
 * are lost.
 */
export function createIdStore(
  connection: Connection,
  { name, blockSize }: { name: string; blockSize: number },
): NextId {
  const counters = collectionOf(connection, counterSchema);
  let next = 1;
  let last = 0;
  let fetching: Promise<void> | null = null;

  async function fetchBlock(): Promise<void> {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { value: blockSize } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!counter) throw new Error(`the counter ${name} was not created`);
    last = counter.value;
    next = counter.value - blockSize + 1;
  }
  return async () => {
    while (next > last) {
      fetching ??= fetchBlock().finally(() => (fetching = null));
      await fetching;
    }
    return next++;
  };
}
