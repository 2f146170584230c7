import type { Logger } from '../runtime/logger.ts';
import { untilClosed, type ChannelModel } from './connection.ts';

/** The topic exchange for all events. The routing key is the event type. */
export const exchange = 'comanda.events';
/** The stream of all events, which every notifier reads. */
export const stream = 'comanda.feed';

/**
 * How long the stream stores events, and at most how many bytes. Segments are small, because the broker deletes events only in
 * complete segments.
 */
const retention = { maxAge: '24h', maxBytes: 1_000_000_000, segmentBytes: 5_000_000 };

/**
 * Declares the exchange, the stream and their binding. Every service calls this first on every connection. If the stream exists
 * with a different retention, it is used as it is, because an operator may have set that retention.
 * @throws if a queue that is not a stream has this name, because no notifier could read it, or if the broker does not support
 * streams
 */
export async function declareTopology(connection: ChannelModel, logger: Logger): Promise<void> {
  if (!(await declareStream(connection))) logger.warn({ stream }, 'the stream exists with a different retention');
  const channel = await connection.createChannel();
  void untilClosed(channel);
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await channel.bindQueue(stream, exchange, '#');
  await channel.close();
}

/** Declares the stream. Returns false if it exists with a different retention. */
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
    if ((error as { code?: unknown }).code !== 406) throw error; // PRECONDITION_FAILED; the broker has closed the channel
    await refuseQueue(connection, error as Error);
    return false;
  }
  await channel.close();
  return true;
}

/**
 * Rejects a queue that is not a stream. The error from the failed declaration does not show the queue's type, because the broker
 * compares the retention first. So this tries to read from an offset, which only a stream allows.
 * @throws if the queue is not a stream
 */
async function refuseQueue(connection: ChannelModel, { message: refusal }: Error): Promise<void> {
  const channel = await connection.createChannel();
  void untilClosed(channel);
  await channel.prefetch(1);
  try {
    await channel.consume(stream, () => undefined, { arguments: { 'x-stream-offset': 'last' } });
  } catch (error) {
    const [said, why] = [refusal, (error as Error).message].map((text) => /"(.*)"$/.exec(text)?.[1] ?? text);
    throw new Error(
      `${stream} is not a stream. Delete that queue, or use another virtual host, on RabbitMQ 3.9 or newer. The broker says: ${why}; ${said}`,
      { cause: error },
    );
  }
  await channel.close();
}
