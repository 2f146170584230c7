import type { FeedChecksums } from '@comanda/contracts/feed';
import { every } from '../runtime/every.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Publisher } from './publisher.ts';

/** The routing key of heartbeats. They are in the stream but have no contract, and are not sent to the feed's clients. */
export const heartbeatType = 'feed.heartbeat';

/** The facts that a source reports about itself with each heartbeat. A missing fact is unknown. */
export type HeartbeatFacts = {
  /** How long the source's oldest event has waited to be published, in milliseconds. */
  oldestWaitingMs?: number;
  /** Changes when the source's database is restored from a backup. */
  databaseEpoch?: string;
  /** Checksums of the source's data when it published the heartbeat. */
  checksums?: FeedChecksums;
};
export type Heartbeat = HeartbeatFacts & { source: string };

const everyMs = 3000;

type Options = {
  publisher: Publisher;
  source: `/${string}`;
  /** Finds the facts to send. If this fails, the heartbeat has no facts. */
  findFacts?: () => Promise<HeartbeatFacts>;
  logger: Logger;
};

/**
 * Publishes a small event every 3 s, in the same way as all other events, so that readers of the stream know that events from
 * `source` arrive. Waits for each confirmation before publishing the next heartbeat. Returns a function that stops the
 * heartbeats.
 */
export function publishHeartbeats({ publisher, source, findFacts, logger }: Options): () => void {
  async function publishOne(): Promise<'confirmed' | 'confirmed_late'> {
    const startedAt = performance.now();
    const facts = await findFacts?.().catch(() => ({}));
    await publisher.publish([toMessage({ source, ...facts })]);
    return performance.now() - startedAt > everyMs ? 'confirmed_late' : 'confirmed';
  }
  const publishing = every({
    run: async () => {
      // A heartbeat that had to wait for the broker has outdated facts, so the next one follows immediately.
      while ((await publishOne()) === 'confirmed_late');
    },
    everyMs,
    firstAfterMs: everyMs,
    logger,
    failure: 'could not publish a heartbeat',
  });
  publisher.onUp(publishing.wake);
  // Not awaited: a heartbeat that waits for the broker ends when the publisher is closed.
  return () => void publishing.close();
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

/** Parses the content of a heartbeat message. */
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
