import type { mongo } from 'mongoose';

export type MajorityWatch = {
  /** Processes the reply to `hello`, which the driver gets from every member with each heartbeat. */
  onHello: (reply: mongo.Document) => void;
  /** Returns false once a write on the primary has failed to reach a majority of the members for 900 ms. */
  isUp: () => boolean;
};

const maxLagMs = 900;

/**
 * Creates a watch that detects from the primary's heartbeats whether its writes still reach a majority of the members: a primary
 * that has lost its followers responds to pings, but no write is acknowledged. A primary regularly writes at least its own
 * heartbeat, so a lost majority shows even without requests.
 */
export function createMajorityWatch(onChange: (isUp: boolean) => void, now = () => performance.now()): MajorityWatch {
  /** The oldest observed write that a majority did not have yet, and the time when it was observed; null if there is none. */
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
