import { setTimeout as sleep } from 'node:timers/promises';
import { untilClosed, type Channel, type ChannelModel, type ConsumeMessage } from './connection.ts';
import { stream } from './topology.ts';

/** The position of an event in the stream. If the event at this offset has another id, the stream was replaced. */
export type Position = { offset: number; id: string };
/** A message in the stream. `type` is its routing key. */
export type FeedMessage = Position & { type: string; content: Buffer };
export type From = { after: Position } | { offset: number };

/** How long to wait for the event at the start position, in milliseconds. */
const proofTimeoutMs = 10_000;
/** A number that is larger than the number of messages in any chunk of a stream. */
const maxChunkMessages = 20_000;

/** Returns the offset of the newest message; -1 if the stream is empty. */
export async function findTail(connection: ChannelModel): Promise<number> {
  const channel = await connection.createChannel();
  void untilClosed(channel);
  let tail = -1;
  await channel.prefetch(maxChunkMessages);
  await channel.consume(stream, (message) => (tail = message ? offsetOf(message) : tail), {
    arguments: { 'x-stream-offset': 'last' },
  });
  await channel.checkQueue(stream); // the broker's response arrives after all messages of the last chunk
  await channel.close();
  return tail;
}

/**
 * Like `findTail`, but as long as the stream ends before `offset`, checks again for up to `timeLimitMs` milliseconds: for a
 * moment, a broker that has just started reports every stream as empty.
 */
export async function findTailFrom(
  connection: ChannelModel,
  { offset, timeLimitMs }: { offset: number; timeLimitMs: number },
): Promise<number> {
  const deadline = performance.now() + timeLimitMs;
  for (;;) {
    const tail = await findTail(connection);
    if (tail >= offset || performance.now() > deadline) return tail;
    await sleep(100);
  }
}

/**
 * Reads the stream endlessly, and yields messages in batches as they arrive. The broker sends at most `prefetch` messages before
 * the earlier batches are consumed. All messages are yielded once, in order, and without gaps:
 * - When starting after a position, the event at that position is read again first. If it is a different event, the function
 *   yields `gap` and ends. If it is the same and nothing follows yet, the function yields an empty batch.
 * - If the broker deletes old messages that a slow reader has not read yet, it does not report that. So after a jump in the
 *   offsets, reading starts again at the last message before the jump, which shows whether that message still exists.
 * @throws when the connection fails, or when nothing arrives for `maxSilenceMs` milliseconds
 */
export async function* readStream(
  connection: ChannelModel,
  {
    from,
    prefetch,
    signal,
    maxSilenceMs = null,
  }: { from: From; prefetch: number; signal?: AbortSignal; maxSilenceMs?: number | null },
): AsyncGenerator<readonly FeedMessage[] | 'gap'> {
  let last = 'after' in from ? from.after : null;
  let provenOffset = -1;
  for (;;) {
    const attachment = await attach(connection, {
      offset: last?.offset ?? ('offset' in from ? from.offset : 0),
      prefetch,
    });
    const stop = (): void => attachment.stop();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      let batch = await attachment.next(last ? proofTimeoutMs : maxSilenceMs);
      if (last) {
        const [proof, ...rest] = batch;
        if (proof?.offset !== last.offset || proof.id !== last.id) {
          yield 'gap';
          return;
        }
        batch = rest;
        if (rest.length === 0) yield [];
      }
      for (;;) {
        const contiguous = untilJump(batch, last, provenOffset);
        last = contiguous.at(-1) ?? last;
        if (contiguous.length > 0) yield contiguous;
        const beyond = batch[contiguous.length];
        if (beyond) {
          provenOffset = beyond.offset;
          break; // reading starts again at the last message before the jump
        }
        batch = await attachment.next(maxSilenceMs);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
    }
  }
}

/**
 * Returns the messages before the first jump in the offsets. At the start of a segment, skipping one offset is normal. A larger
 * jump is accepted only if it leads to the offset `proven`.
 */
function untilJump(batch: FeedMessage[], last: Position | null, proven: number): FeedMessage[] {
  let previous = last?.offset;
  for (const [index, { offset }] of batch.entries()) {
    if (previous !== undefined && offset > previous + 2 && offset !== proven) return batch.slice(0, index);
    previous = offset;
  }
  return batch;
}

type Attachment = {
  /** Returns the messages that have arrived since the last call. If there are none, waits for the next one. */
  next: (timeoutMs: number | null) => Promise<FeedMessage[]>;
  stop: () => void;
};

async function attach(
  connection: ChannelModel,
  { offset, prefetch }: { offset: number; prefetch: number },
): Promise<Attachment> {
  const channel = await connection.createChannel();
  const arrivals = createArrivals();
  untilClosed(channel).catch(arrivals.fail);
  let newest: ConsumeMessage | null = null;
  await channel.prefetch(prefetch);
  const onMessage = (message: ConsumeMessage | null): void => {
    newest = message;
    if (message) arrivals.add(toFeedMessage(message));
    else arrivals.fail(new Error('the stream was deleted'));
  };
  await channel.consume(stream, onMessage, { arguments: { 'x-stream-offset': offset } });
  return {
    next: (timeoutMs) => {
      if (newest) channel.ack(newest, true);
      newest = null;
      return arrivals.take(timeoutMs);
    },
    stop: () => {
      arrivals.fail(new Error('reading was stopped'));
      closeQuietly(channel);
    },
  };
}

function createArrivals() {
  let arrived: FeedMessage[] = [];
  let failure: Error | null = null;
  let onArrival: (() => void) | null = null;
  return {
    add: (message: FeedMessage): void => {
      arrived.push(message);
      onArrival?.();
    },
    fail: (reason: Error): void => {
      failure ??= reason;
      onArrival?.();
    },
    take: async (timeoutMs: number | null): Promise<FeedMessage[]> => {
      if (arrived.length === 0 && !failure) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onArrival = resolve;
        const timer = timeoutMs === null ? null : setTimeout(resolve, timeoutMs);
        await promise;
        if (timer) clearTimeout(timer);
        onArrival = null;
      }
      if (failure) throw failure;
      if (arrived.length === 0) throw new Error(`the stream has delivered nothing for ${timeoutMs} ms`);
      const messages = arrived;
      arrived = [];
      return messages;
    },
  };
}

function closeQuietly(channel: Channel): void {
  channel.close().catch(() => undefined); // closing rejects if the channel is already closed
}

function offsetOf({ properties }: ConsumeMessage): number {
  const offset: unknown = properties.headers?.['x-stream-offset'];
  if (typeof offset !== 'number') throw new Error('a message has no offset: the queue is not a stream');
  return offset;
}

const toFeedMessage = (message: ConsumeMessage): FeedMessage => ({
  offset: offsetOf(message),
  id: String(message.properties.messageId ?? ''),
  type: message.fields.routingKey,
  content: message.content,
});
