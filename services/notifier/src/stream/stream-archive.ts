import { setTimeout as sleep } from 'node:timers/promises';
import { keepConnected, type ChannelModel } from '@comanda/shared/messaging/connection';
import { findTail, readStream, type FeedMessage, type Position } from '@comanda/shared/messaging/read-stream';
import type { Logger } from '@comanda/shared/runtime/logger';

export type StreamArchive = {
  /**
   * Reads all messages after `position`, one batch each time the caller requests one. Continues on a new connection if the
   * current one is lost. Yields `gap` and ends if the stream does not have the event at `position`.
   */
  readAfter: (position: Position, signal: AbortSignal) => AsyncGenerator<readonly FeedMessage[] | 'gap'>;
  /** Returns the offset of the newest message; -1 if the stream is empty. Waits for the broker. */
  newest: (signal: AbortSignal) => Promise<number>;
  close: () => Promise<void>;
};

/** The limits for how much of the stream one archive reader stores in memory, in bytes and in messages. */
const archiveBytes = 1024 * 1024;
const archivePrefetch = { atStart: 50, least: 10, most: 500 };

/** Returns how many messages one reader may store if they are as large as these on average. */
function prefetchFor(messages: readonly FeedMessage[]): number {
  const bytes = messages.reduce((sum, { content }) => sum + content.length, 0);
  const fitting = Math.floor((archiveBytes * messages.length) / bytes);
  return Math.min(archivePrefetch.most, Math.max(archivePrefetch.least, fitting));
}

/** Creates an archive that reads older messages in the stream for single clients, on one shared connection. */
export function createStreamArchive({ url, logger }: { url: string; logger: Logger }): StreamArchive {
  const link: { model: ChannelModel | null } = { model: null };
  let connected = Promise.withResolvers<void>();
  const connection = keepConnected({
    url,
    name: 'notifier archive',
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
