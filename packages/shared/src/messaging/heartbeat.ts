import type { Publisher } from './publisher.ts';

/** The routing key of heartbeats. They are in the stream and in no contract: clients of the feed are not sent them. */
export const heartbeatType = 'feed.heartbeat';

const everyMs = 3000;

/**
 * Publishes a small event every 3 s, on the way of all others: whoever reads the stream knows that events of `source`
 * arrive. None is published while the last one is not confirmed. Returns a function that ends this.
 */
export function publishHeartbeats(publisher: Publisher, source: `/${string}`): () => void {
  let isWaiting = false;
  const publish = async (): Promise<void> => {
    if (isWaiting) return;
    isWaiting = true;
    try {
      await publisher.publish([heartbeat(source)]);
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

const heartbeat = (source: `/${string}`) => {
  const id = crypto.randomUUID();
  const time = new Date();
  return { id, type: heartbeatType, time, body: JSON.stringify({ id, source, type: heartbeatType, time }) };
};
