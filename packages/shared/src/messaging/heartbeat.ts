import type { FeedChecksums } from '@comanda/contracts/feed';
import { every } from '../runtime/every.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Publisher } from './publisher.ts';

/**
 * The routing key of heartbeats. Heartbeats are messages in the stream, but they have no contract and are not sent to clients.
 */
export const heartbeatType = 'feed.heartbeat';

/** The facts that a source reports about itself in each heartbeat. A fact that the source does not know is missing. */
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
  /** Returns the facts for the next heartbeat. If this fails, the heartbeat is sent without facts. */
  findFacts?: () => Promise<HeartbeatFacts>;
  logger: Logger;
};

/**
 * Publishes a small message every 3 s, in the same way as all events, so that readers of the stream know that events from
 * `source` would arrive. Waits until each heartbeat is confirmed before publishing the next. Returns a function that stops the
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
      // If a heartbeat had to wait for the broker, its facts are outdated, so the next heartbeat follows immediately.
      while ((await publishOne()) === 'confirmed_late');
    },
    everyMs,
    firstAfterMs: everyMs,
    logger,
    failure: 'could not publish a heartbeat',
  });
  publisher.onUp(publishing.wake);
  // Not awaited: if a heartbeat is waiting for the broker, it ends only when the publisher is closed.
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
