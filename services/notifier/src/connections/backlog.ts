import type { FeedSocket } from './socket-types.ts';

/** The most packets that are written to a client before it must have read some of them. */
export const maxPacketsPerWrite = 128;
/** A live client with a larger backlog is behind. */
const maxLiveBacklog = 512;
/** A client that reads nothing for so long is cut off. */
const stuckAfterMs = 10_000;

/** Packets that wait for the transport. Only this tells how far behind a client is, and engine.io's types hide it. */
const backlogOf = ({ conn }: FeedSocket): number =>
  (conn as unknown as { writeBuffer: readonly unknown[] }).writeBuffer.length;

export const mayWrite = (socket: FeedSocket): boolean => backlogOf(socket) < maxPacketsPerWrite;
export const isBehind = (socket: FeedSocket): boolean => backlogOf(socket) > maxLiveBacklog;

/** Ends the connection without waiting for a client that does not read. The client may connect again. */
export const cutOff = ({ conn }: FeedSocket): void => void conn.request.socket.destroy();

/**
 * Resolves, always in a later turn of the event loop, when the client has read most of its backlog or `signal` is
 * aborted. A client that reads nothing for 10 s is cut off, after `onStuck`.
 */
export async function untilDrained(
  socket: FeedSocket,
  { signal, onStuck }: { signal: AbortSignal; onStuck: () => void },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (mayWrite(socket) || signal.aborted) {
    setImmediate(resolve);
    return promise;
  }
  const onDrain = (): void => resolve();
  const timer = setTimeout(() => {
    onStuck();
    cutOff(socket);
  }, stuckAfterMs);
  socket.conn.once('drain', onDrain);
  signal.addEventListener('abort', onDrain, { once: true });
  await promise;
  clearTimeout(timer);
  socket.conn.off('drain', onDrain);
  signal.removeEventListener('abort', onDrain);
}
