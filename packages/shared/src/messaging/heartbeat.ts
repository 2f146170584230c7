import type { FeedChecksums } from '@comanda/contracts/feed';
import type { Publisher } from './publisher.ts';

/** The routing key of heartbeats. They are in the stream and in no contract: clients of the feed are not sent them. */
export const heartbeatType = 'feed.heartbeat';

/** What a source tells of itself with each heartbeat. A fact that is missing is not known. */
export type HeartbeatFacts = {
  /** For how long the oldest event of the source has waited to be published, in milliseconds. */
  oldestWaitingMs?: number;
  /** Another one after the database of the source was restored from a backup. */
  databaseEpoch?: string;
  /** Of what the source had when it published the heartbeat. */
  checksums?: FeedChecksums;
};
export type Heartbeat = HeartbeatFacts & { source: string };

const everyMs = 3000;

type Options = {
  publisher: Publisher;
  source: `/${string}`;
  /** If it fails, the heartbeat tells nothing. */
  findFacts?: () => Promise<HeartbeatFacts>;
};

/**
 * Publishes a small event every 3 s, on the way of all others: whoever reads the stream knows that events of `source`
 * arrive. None is published while the last one is not confirmed. Returns a function that ends this.
 */
export function publishHeartbeats({ publisher, source, findFacts }: Options): () => void {
  let isWaiting = false;
  async function publishOne(): Promise<'confirmed' | 'confirmed_late'> {
    const startedAt = performance.now();
    const facts = await findFacts?.().catch(() => ({}));
    await publisher.publish([toMessage({ source, ...facts })]);
    return performance.now() - startedAt > everyMs ? 'confirmed_late' : 'confirmed';
  }
  const publish = async (): Promise<void> => {
    if (isWaiting) return;
    isWaiting = true;
    try {
      // The facts of one that has waited for the broker are old: the next one follows at once.
      while ((await publishOne()) === 'confirmed_late');
    } catch {
      // Closed, or too much is waiting: the reader notices that no heartbeat arrives.
    } finally {
      isWaiting = false;
    }
  };
  const timer = setInterval(() => void publish(), everyMs);
  publisher.onUp(() => void publish());
  return () => clearInterval(timer);
}

type Body = { source: string; oldest_waiting_ms?: number; database_epoch?: string; checksums?: FeedChecksums };

function toMessage({ source, oldestWaitingMs, databaseEpoch, checksums }: Heartbeat) {
  const id = crypto.randomUUID();
  const time = new Date();
  const facts = {
    ...(oldestWaitingMs !== undefined && { oldest_waiting_ms: oldestWaitingMs }),
    ...(databaseEpoch !== undefined && { database_epoch: databaseEpoch }),
    ...(checksums && { checksums }),
  };
  return { id, type: heartbeatType, time, body: JSON.stringify({ id, source, type: heartbeatType, time, ...facts }) };
}

/** Reads the content of a message of `heartbeatType`. */
export function readHeartbeat(content: Buffer): Heartbeat {
  const {
    source,
    oldest_waiting_ms: oldestWaitingMs,
    database_epoch: databaseEpoch,
    checksums,
  } = JSON.parse(content.toString()) as Body;
  return {
    source,
    ...(oldestWaitingMs !== undefined && { oldestWaitingMs }),
    ...(databaseEpoch !== undefined && { databaseEpoch }),
    ...(checksums && { checksums }),
  };
}
