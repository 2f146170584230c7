import { keepConnected, type ChannelModel, type KeptConnection } from '@comanda/shared/messaging/connection';
import { findTailFrom, readStream, type FeedMessage, type Position } from '@comanda/shared/messaging/read-stream';
import { declareTopology } from '@comanda/shared/messaging/topology';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Queue } from './queue.ts';

/** `lost`: no connection; `catching_up`: reading older messages; `live`: new messages are read as they are published. */
export type StreamState = 'lost' | 'catching_up' | 'live';
/**
 * A change while the stream is read. `messages`: the next messages, in the order of the stream, each once. `gap`: the next
 * message doesn't follow the last one, because messages are missing or the stream is a different one.
 */
export type StreamChange =
  | { kind: 'messages'; messages: readonly FeedMessage[] }
  | { kind: 'state'; state: StreamState }
  | { kind: 'gap' };
type Options = {
  url: string;
  logger: Logger;
  /** How many of the newest messages to read first. */
  history: number;
  /**
   * The longest time without a message, in milliseconds, after which the reader reconnects. The stream has heartbeats, so it is
   * never silent. After a broken link between brokers, a consumer may get no more messages on a healthy connection.
   */
  maxSilenceMs: number;
  /** Receives the changes. The reader starts in the state `lost`, which is not reported as a change. */
  changes: Pick<Queue<StreamChange>, 'add'>;
};

const livePrefetch = 200;
/** How long to wait for a stream that ends before the current position, in milliseconds; see `findTailFrom`. */
const tailTimeLimitMs = 5000;

/**
 * Follows the end of the stream, starting `history` messages before it. After each lost connection, continues at the last
 * position. If it cannot prove that nothing is missing, adds a gap and starts again.
 */
export function followStream({ url, logger, history, maxSilenceMs, changes }: Options): KeptConnection {
  let tail: Position | null = null;
  let state: StreamState = 'lost';
  let hasStarted = false;

  function setState(next: StreamState): void {
    if (next === state) return;
    logger.info({ from: state, to: next, offset: tail?.offset }, 'stream reader state');
    state = next;
    changes.add({ kind: 'state', state });
  }
  function startAgain(reason: string): void {
    logger.warn({ offset: tail?.offset, reason }, 'the stream does not continue at the last position');
    tail = null;
    hasStarted = false;
    changes.add({ kind: 'gap' });
  }
  async function follow(connection: ChannelModel, lost: AbortSignal): Promise<void> {
    const timeLimitMs = tail ? tailTimeLimitMs : maxSilenceMs;
    const end = await findTailFrom(connection, { offset: tail?.offset ?? 0, timeLimitMs });
    // A real stream is never empty, because it contains heartbeats. But a broker that has just started may report it as empty.
    if (end < 0) throw new Error('the stream seems to be empty');
    // Without a last position, nothing can prove that this is still the same stream.
    if (hasStarted && (!tail || end < tail.offset)) startAgain('it ends before the position');
    hasStarted = true;
    setState('catching_up');
    const from = tail ? { after: tail } : { offset: Math.max(0, end - history + 1) };
    for await (const messages of readStream(connection, { from, prefetch: livePrefetch, maxSilenceMs })) {
      if (messages === 'gap') return startAgain('it has another event at the position, or none');
      const last = messages.at(-1);
      if (last) {
        tail = { offset: last.offset, id: last.id };
        changes.add({ kind: 'messages', messages });
      }
      if (tail && tail.offset >= end && !lost.aborted) setState('live');
    }
  }
  return keepConnected({
    url,
    name: 'notifier reader',
    logger,
    session: async (model, lost) => {
      lost.addEventListener('abort', () => setState('lost'), { once: true });
      await declareTopology(model, logger);
      while (!lost.aborted) await follow(model, lost);
    },
  });
}
