import type { mongo } from 'mongoose';

export type MajorityWatch = {
  /** Processes the reply to `hello`, which the driver gets from every member at each of its checks. */
  onHello: (reply: mongo.Document) => void;
  /** Returns false once a write on the primary has failed to reach a majority of the members for 900 ms. */
  isUp: () => boolean;
};

const maxLagMs = 900;

/**
 * Creates a watch that finds out whether the primary's writes still reach a majority of the members. A primary that has lost its
 * followers responds to pings, but acknowledges no write. Every service regularly writes at least its own heartbeat, so a lost
 * majority is noticed even without requests.
 */
export function createMajorityWatch(onChange: (isUp: boolean) => void, now = () => performance.now()): MajorityWatch {
  /** The first write that was seen before a majority had it, and the time when it was seen; null if a majority has all writes. */
  let lagging: { write: mongo.Timestamp; sinceMs: number } | null = null;
  let isUp = true;
  return {
    isUp: () => isUp,
    onHello: ({ isWritablePrimary, lastWrite }) => {
      const written: mongo.Timestamp | undefined = lastWrite?.opTime?.ts;
      const durable: mongo.Timestamp | undefined = lastWrite?.majorityOpTime?.ts;
      if (!isWritablePrimary || !written || !durable) return;
      if (!lagging || durable.greaterThanOrEqual(lagging.write))
        lagging = written.greaterThan(durable) ? { write: written, sinceMs: now() } : null;
      const wasUp = isUp;
      isUp = !lagging || now() - lagging.sinceMs < maxLagMs;
      if (isUp !== wasUp) onChange(isUp);
    },
  };
}
