import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../runtime/logger.ts';
import { keepConnected, type ChannelModel } from './connection.ts';
import { findTail, findTailFrom, readStream, type FeedMessage, type Position } from './read-stream.ts';
import { declareTopology } from './topology.ts';

export type { FeedMessage, Position } from './read-stream.ts';

/** `lost`: no connection; `catching_up`: reading older messages; `live`: new messages are read as they are published. */
export type ReaderState = 'lost' | 'catching_up' | 'live';
export type StreamReader = {
  state: () => ReaderState;
  /** Returns the time when `state` last changed. */
  since: () => Date;
  close: () => Promise<void>;
};
type Listener = {
  /** Called once for each message, in the order of the stream, starting with the newest `history` messages. */
  onMessage: (message: FeedMessage) => void;
  onState: (state: ReaderState) => void;
  /** Called when the next message does not follow the last one: messages are missing, or the stream is a different one. */
  onGap: () => void;
};
type Options = Listener & {
  url: string;
  name: string;
  logger: Logger;
  history: number;
  /**
   * The longest silence of a stream with heartbeats, in milliseconds; then the reader reconnects. After a broken link between
   * brokers, a consumer may get no more messages on a healthy connection. With this setting, the reader also does not mistake the
   * stream for empty, which a broker that has just started may report.
   */
  maxSilenceMs?: number;
};

const livePrefetch = 200;
/** How long to wait for a stream that ends before the current position or is empty; see `findTailFrom`. */
const tailTimeLimitMs = { later: 5000, atStart: 500 };

/**
 * Creates a reader that follows the end of the stream, starting `history` messages before it. After each lost connection, the
 * reader continues at its position. If it cannot prove that nothing is missing, it calls `onGap` and starts again.
 */
export function createStreamReader(options: Options): StreamReader {
  const { logger, history, maxSilenceMs } = options;
  let tail: Position | null = null;
  let state: ReaderState = 'lost';
  let since = new Date();
  let started = false;

  function setState(next: ReaderState): void {
    if (next === state) return;
    logger.info({ from: state, to: next, offset: tail?.offset }, 'stream reader state');
    state = next;
    since = new Date();
    options.onState(next);
  }
  function startAgain(reason: string): void {
    logger.warn({ offset: tail?.offset, reason }, 'the stream does not continue at the last position');
    tail = null;
    started = false;
    options.onGap();
  }
  async function follow(connection: ChannelModel, lost: AbortSignal): Promise<void> {
    const end = await findTailFrom(connection, {
      offset: tail?.offset ?? 0,
      timeLimitMs: tail ? tailTimeLimitMs.later : (maxSilenceMs ?? tailTimeLimitMs.atStart),
    });
    if (end < 0 && maxSilenceMs !== undefined) throw new Error('the stream seems to be empty');
    // If the stream was empty, nothing can prove that it is still the same stream.
    if (started && (!tail || end < tail.offset)) startAgain('it ends before the position');
    started = true;
    setState(end < 0 ? 'live' : 'catching_up');
    const from = tail ? { after: tail } : { offset: Math.max(0, end - history + 1) };
    for await (const batch of readStream(connection, {
      from,
      prefetch: livePrefetch,
      maxSilenceMs: maxSilenceMs ?? null,
    })) {
      if (batch === 'gap') return startAgain('it has another event at the position, or none');
      for (const message of batch) {
        tail = { offset: message.offset, id: message.id };
        options.onMessage(message);
      }
      if (tail && tail.offset >= end && !lost.aborted) setState('live');
    }
  }
  const connection = keepConnected({
    url: options.url,
    name: `${options.name} reader`,
    logger,
    session: async (model, lost) => {
      lost.addEventListener('abort', () => setState('lost'), { once: true });
      await declareTopology(model, logger);
      while (!lost.aborted) await follow(model, lost);
    },
  });
  return { state: () => state, since: () => since, close: connection.close };
}

export type StreamArchive = {
  /**
   * Reads all messages after `position`, in batches, each when the caller requests it. Continues on a new connection if the
   * current one is lost. Yields `gap` and ends if the stream does not have the event at `position`.
   */
  readAfter: (position: Position, signal: AbortSignal) => AsyncGenerator<readonly FeedMessage[] | 'gap'>;
  /** Returns the offset of the newest message; -1 if the stream is empty. Waits for the broker. */
  newest: (signal: AbortSignal) => Promise<number>;
  close: () => Promise<void>;
};

/** How much of the stream one archive reader holds in memory, in bytes and in messages. */
const archiveBytes = 1024 * 1024;
const archivePrefetch = { atStart: 50, least: 10, most: 500 };

/** Returns how many messages of this average size one reader may hold. */
function prefetchFor(messages: readonly FeedMessage[]): number {
  const bytes = messages.reduce((sum, { content }) => sum + content.length, 0);
  const fitting = Math.floor((archiveBytes * messages.length) / bytes);
  return Math.min(archivePrefetch.most, Math.max(archivePrefetch.least, fitting));
}

/** Creates an archive that reads older messages in the stream for single clients, on one shared connection. */
export function createStreamArchive({ url, name, logger }: Pick<Options, 'url' | 'name' | 'logger'>): StreamArchive {
  const link: { model: ChannelModel | null } = { model: null };
  let connected = Promise.withResolvers<void>();
  const connection = keepConnected({
    url,
    name: `${name} archive`,
    logger,
    session: async (model, lost) => {
      link.model = model;
      connected.resolve();
      await aborted(lost, () => {
        link.model = null;
        connected = Promise.withResolvers();
      });
    },
  });
  async function withConnection(signal: AbortSignal): Promise<ChannelModel> {
    while (!link.model) {
      await Promise.race([connected.promise, aborted(signal)]);
      signal.throwIfAborted();
    }
    return link.model;
  }
  return {
    readAfter: async function* (position, signal) {
      let prefetch = archivePrefetch.atStart;
      for (let last = position; ;) {
        try {
          const model = await withConnection(signal);
          for await (const batch of readStream(model, { from: { after: last }, prefetch, signal })) {
            yield batch;
            if (batch === 'gap') return;
            last = batch.at(-1) ?? last;
            const wanted = batch.length === 0 ? prefetch : prefetchFor(batch);
            const isFarOff = wanted > 2 * prefetch || 2 * wanted < prefetch;
            prefetch = isFarOff ? wanted : prefetch;
            if (isFarOff) break; // a consumer keeps the prefetch that it started with
          }
        } catch (error) {
          signal.throwIfAborted();
          logger.warn(
            { err: error, offset: last.offset },
            'reading the archive failed; it continues at the last position',
          );
          await sleep(200, undefined, { signal });
        }
      }
    },
    newest: async (signal) => findTail(await withConnection(signal)),
    close: connection.close,
  };
}

/** Resolves when `signal` is aborted, after calling `then` synchronously. */
function aborted(signal: AbortSignal, then?: () => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      then?.();
      resolve();
    };
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
