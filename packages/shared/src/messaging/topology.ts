import type { Logger } from '../runtime/logger.ts';
import { untilClosed } from './connection.ts';
import type { ChannelModel } from './connection.ts';

/** Where all events are published, by their type as the routing key. */
export const exchange = 'comanda.events';
/** The log of all events that every notifier reads. */
export const stream = 'comanda.feed';

/** Retention runs only when a segment rolls, hence the small ones. */
const retention = { maxAge: '24h', maxBytes: 1_000_000_000, segmentBytes: 5_000_000 };

/**
 * Declares the exchange, the stream and what binds them; every service does so on every connection, before anything else.
 * A stream that is there with another retention is used as it is: an operator's choice is no reason to stand still.
 */
export async function declareTopology(connection: ChannelModel, logger: Logger): Promise<void> {
  if (!(await declareStream(connection))) logger.warn({ stream }, 'the stream is there with another retention');
  const channel = await connection.createChannel();
  void untilClosed(channel);
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await channel.bindQueue(stream, exchange, '#');
  await channel.close();
}

async function declareStream(connection: ChannelModel): Promise<boolean> {
  const channel = await connection.createChannel();
  void untilClosed(channel);
  try {
    await channel.assertQueue(stream, {
      durable: true,
      arguments: {
        'x-queue-type': 'stream',
        'x-max-age': retention.maxAge,
        'x-max-length-bytes': retention.maxBytes,
        'x-stream-max-segment-size-bytes': retention.segmentBytes,
      },
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === 406) return false; // PRECONDITION_FAILED, which has closed the channel
    throw error;
  }
  await channel.close();
  return true;
}
