import { setTimeout as sleep } from 'node:timers/promises';
import { untilClosed } from './connection.ts';
import type { Channel, ChannelModel, ConsumeMessage } from './connection.ts';
import { stream } from './topology.ts';

/** A place in the stream: the event that stands there has this offset and this id, or it is another stream. */
export type Position = { offset: number; id: string };
/** One message as the stream has it; `type` is its routing key. */
export type FeedMessage = Position & { type: string; content: Buffer };
export type From = { after: Position } | { offset: number };

const proofTimeoutMs = 10_000;
/** More than any chunk of a stream holds. */
const wholeChunk = 20_000;

/** Offset of the newest message there is now, -1 where there is none. */
export async function findTail(connection: ChannelModel): Promise<number> {
  const channel = await connection.createChannel();
  void untilClosed(channel);
  let tail = -1;
  await channel.prefetch(wholeChunk);
  await channel.consume(stream, (message) => (tail = message ? offsetOf(message) : tail), {
    arguments: { 'x-stream-offset': 'last' },
  });
  await channel.checkQueue(stream); // answered after the last chunk was delivered
  await channel.close();
  return tail;
}

/**
 * As `findTail`, but where the stream ends before `offset`, it is asked again for `patienceMs`: a broker that has just
 * started has the stream, and shows it empty for a moment.
 */
export async function findTailFrom(
  connection: ChannelModel,
  { offset, patienceMs }: { offset: number; patienceMs: number },
): Promise<number> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const tail = await findTail(connection);
    if (tail >= offset || performance.now() > deadline) return tail;
    await sleep(100);
  }
}

/**
 * Reads on and on, in portions as they arrive; asking for the next portion is what lets the broker send more, `prefetch`
 * messages ahead at most. Each offset comes once and in order, with nothing left out between two of them: where reading
 * starts after a position, that very event must be delivered first, else the answer is `gap` and reading ends; an empty
 * portion says that it was. A jump (truncation overtakes a reader in silence) is believed only when the event before it
 * can still be read. Fails when the connection does.
 */
export async function* readStream(
  connection: ChannelModel,
  { from, prefetch, signal }: { from: From; prefetch: number; signal?: AbortSignal },
): AsyncGenerator<readonly FeedMessage[] | 'gap'> {
  let last = 'after' in from ? from.after : null;
  let jumpedTo = -1;
  for (;;) {
    const attachment = await attach(connection, {
      offset: last?.offset ?? ('offset' in from ? from.offset : 0),
      prefetch,
    });
    const stop = (): void => attachment.stop();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      let portion = await attachment.next(last ? proofTimeoutMs : null);
      if (last) {
        const [proof, ...rest] = portion;
        if (proof?.offset !== last.offset || proof.id !== last.id) {
          yield 'gap';
          return;
        }
        portion = rest;
        if (rest.length === 0) yield [];
      }
      for (;;) {
        const whole = untilJump(portion, last, jumpedTo);
        last = whole.at(-1) ?? last;
        if (whole.length > 0) yield whole;
        const beyond = portion[whole.length];
        if (beyond) {
          jumpedTo = beyond.offset;
          break; // attach again, at the last before the jump
        }
        portion = await attachment.next(null);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
    }
  }
}

/** Offsets have holes of one where a segment begins; what is further than that from the one before must be proven. */
function untilJump(portion: FeedMessage[], last: Position | null, proven: number): FeedMessage[] {
  let before = last?.offset;
  for (const [index, { offset }] of portion.entries()) {
    if (before !== undefined && offset > before + 2 && offset !== proven) return portion.slice(0, index);
    before = offset;
  }
  return portion;
}

type Attachment = {
  /** What has arrived since the last call, at least one message. */
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
    else arrivals.fail(new Error('the stream is gone'));
  };
  await channel.consume(stream, onMessage, { arguments: { 'x-stream-offset': offset } });
  return {
    next: (timeoutMs) => {
      if (newest) channel.ack(newest, true);
      newest = null;
      return arrivals.take(timeoutMs);
    },
    stop: () => {
      arrivals.fail(new Error('reading has been stopped'));
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
      const taken = arrived;
      arrived = [];
      return taken;
    },
  };
}

function closeQuietly(channel: Channel): void {
  channel.close().catch(() => undefined); // closed already, or the connection with it
}

function offsetOf({ properties }: ConsumeMessage): number {
  const offset: unknown = properties.headers?.['x-stream-offset'];
  if (typeof offset !== 'number') throw new Error('a message without an offset: not a stream');
  return offset;
}

const toFeedMessage = (message: ConsumeMessage): FeedMessage => ({
  offset: offsetOf(message),
  id: String(message.properties.messageId ?? ''),
  type: message.fields.routingKey,
  content: message.content,
});
