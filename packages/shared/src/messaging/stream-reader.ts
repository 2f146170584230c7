import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../runtime/logger.ts';
import { keepConnected } from './connection.ts';
import type { ChannelModel } from './connection.ts';
import { findTail, findTailFrom, readStream } from './read-stream.ts';
import type { FeedMessage, Position } from './read-stream.ts';
import { declareTopology } from './topology.ts';

export type { FeedMessage, Position } from './read-stream.ts';

/** `lost`: nothing can be read; `catching_up`: reading what is there already; `live`: what is published is read at once. */
export type ReaderState = 'lost' | 'catching_up' | 'live';
export type StreamReader = {
  state: () => ReaderState;
  /** Since when `state` is what it is. */
  since: () => Date;
  close: () => Promise<void>;
};
type Listener = {
  /** Each message once, in the order of the stream; the first ones are the newest `history` that were there. */
  onMessage: (message: FeedMessage) => void;
  onState: (state: ReaderState) => void;
  /** What comes next does not follow what came before: events are missing, or it is another stream. */
  onGap: () => void;
};
type Options = Listener & { url: string; name: string; logger: Logger; history: number };

const livePrefetch = 200;
/** How long a stream that ends before our place, or is empty at the start, is not believed. */
const patienceMs = { later: 5000, atStart: 500 };

/**
 * Reads the stream at its tail, from `history` messages back, through any number of broken connections. After each it
 * proves that it goes on where it stood, and says `onGap` and starts anew where it cannot.
 */
export function createStreamReader(options: Options): StreamReader {
  const { logger, history } = options;
  let tail: Position | null = null;
  let state: ReaderState = 'lost';
  let since = new Date();
  let started = false;

  function become(next: ReaderState): void {
    if (next === state) return;
    logger.info({ from: state, to: next, offset: tail?.offset }, 'stream reader');
    state = next;
    since = new Date();
    options.onState(next);
  }
  function forget(why: string): void {
    logger.warn({ offset: tail?.offset, why }, 'the stream does not go on where it was left');
    tail = null;
    started = false;
    options.onGap();
  }
  async function follow(connection: ChannelModel, lost: AbortSignal): Promise<void> {
    const end = await findTailFrom(connection, {
      offset: tail?.offset ?? 0,
      patienceMs: tail ? patienceMs.later : patienceMs.atStart,
    });
    // Of a stream that was empty nothing can be proven later: whether it is still the same one, least of all.
    if (started && (!tail || end < tail.offset)) forget('it ends before');
    started = true;
    become(end < 0 ? 'live' : 'catching_up');
    const from = tail ? { after: tail } : { offset: Math.max(0, end - history + 1) };
    for await (const portion of readStream(connection, { from, prefetch: livePrefetch })) {
      if (portion === 'gap') return forget('it has another event there, or none');
      for (const message of portion) {
        tail = { offset: message.offset, id: message.id };
        options.onMessage(message);
      }
      if (tail && tail.offset >= end && !lost.aborted) become('live');
    }
  }
  const connection = keepConnected({
    url: options.url,
    name: `${options.name} reader`,
    logger,
    session: async (model, lost) => {
      lost.addEventListener('abort', () => become('lost'), { once: true });
      await declareTopology(model, logger);
      while (!lost.aborted) await follow(model, lost);
    },
  });
  return { state: () => state, since: () => since, close: connection.close };
}

export type StreamArchive = {
  /**
   * Everything after `position`, in portions; the next one is read when it is asked for. Goes on over a new connection
   * where the one in use breaks. `gap`, and the end, where the stream does not have that event any more, or never had.
   */
  readAfter: (position: Position, signal: AbortSignal) => AsyncGenerator<readonly FeedMessage[] | 'gap'>;
  /** Offset of the newest message there is now, -1 where there is none; waits for the broker. */
  newest: (signal: AbortSignal) => Promise<number>;
  close: () => Promise<void>;
};

const archivePrefetch = 500;

/** Reads the stream again for one client, on a connection that all such readers share. */
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
      for (let last = position; ;) {
        try {
          const model = await withConnection(signal);
          for await (const portion of readStream(model, { from: { after: last }, prefetch: archivePrefetch, signal })) {
            yield portion;
            if (portion === 'gap') return;
            last = portion.at(-1) ?? last;
          }
        } catch (error) {
          signal.throwIfAborted();
          logger.warn({ err: error, offset: last.offset }, 'reading from the archive goes on where it broke off');
          await sleep(200, undefined, { signal });
        }
      }
    },
    newest: async (signal) => findTail(await withConnection(signal)),
    close: connection.close,
  };
}

/** Resolves when `signal` is aborted, after `then` was called in that same turn. */
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
