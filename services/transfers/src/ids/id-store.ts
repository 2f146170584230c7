import type { Connection } from 'mongoose';

type CounterDocument = { _id: string; value: number };
export type NextId = () => Promise<number>;

/**
 * Ids of `name`: positive, unique over all instances, not always in the order of time. They are taken `blockSize` at a
 * time; what is left of a block when the process ends is a gap.
 */
export function createIds(connection: Connection, { name, blockSize }: { name: string; blockSize: number }): NextId {
  const counters = connection.collection<CounterDocument>('counters');
  let next = 1;
  let last = 0;
  let fetching: Promise<void> | null = null;

  async function fetchBlock(): Promise<void> {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { value: blockSize } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!counter) throw new Error(`no counter ${name}`);
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
