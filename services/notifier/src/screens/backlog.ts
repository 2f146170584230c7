import { cutOff } from './wire.ts';
import type { FeedSocket } from './wire.ts';

/** What is written to a client at once, in packets; then it must have taken some before there is more. */
export const chunk = 128;
/** A client that takes nothing for so long does not read any more. */
const stuckMs = 10_000;

/** Packets that wait for the transport; engine.io's types hide it, and nothing else tells how far behind a client is. */
export const backlogOf = ({ conn }: FeedSocket): number =>
  (conn as unknown as { writeBuffer: readonly unknown[] }).writeBuffer.length;

/**
 * Resolves, always in a later turn, when the client has taken most of what was written to it, or is gone. One that takes
 * nothing for 10 s is cut off, after `onStuck`.
 */
export async function untilTaken(socket: FeedSocket, gone: AbortSignal, onStuck: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (backlogOf(socket) < chunk || gone.aborted) {
    setImmediate(resolve);
    return promise;
  }
  const onTaken = (): void => resolve();
  const timer = setTimeout(() => {
    onStuck();
    cutOff(socket);
  }, stuckMs);
  socket.conn.once('drain', onTaken);
  gone.addEventListener('abort', onTaken, { once: true });
  await promise;
  clearTimeout(timer);
  socket.conn.off('drain', onTaken);
  gone.removeEventListener('abort', onTaken);
}
