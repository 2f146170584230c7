import type { FeedSocket } from './socket-types.ts';

/** The most that is written to a client before it must have read some of it. */
export const maxPacketsPerWrite = 128;
export const maxBytesPerWrite = 256 * 1024;
/** The largest backlog of a live client; above it, the client is behind. */
const maxLiveBacklog = { packets: 512, bytes: 512 * 1024 };
/** A client is cut off once none of its data has moved for this long, at most twice as long. */
const stuckAfterMs = 5000;

type Packet = { data?: string | Buffer };
/**
 * The client's backlog: packets that wait for the transport, and bytes that wait for the connection. Nothing else shows how far
 * behind a client is, and engine.io's types hide it.
 */
function backlogOf({ conn }: FeedSocket): { packets: number; bytes: number } {
  const { writeBuffer } = conn as unknown as { writeBuffer: readonly Packet[] };
  const waiting = writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  return { packets: writeBuffer.length, bytes: waiting + conn.request.socket.writableLength };
}

export function mayWrite(socket: FeedSocket): boolean {
  const { packets, bytes } = backlogOf(socket);
  return packets < maxPacketsPerWrite && bytes < maxBytesPerWrite;
}
export function isBehind(socket: FeedSocket): boolean {
  const { packets, bytes } = backlogOf(socket);
  return packets > maxLiveBacklog.packets || bytes > maxLiveBacklog.bytes;
}

/** Ends the connection without waiting for a client that does not read. The client may reconnect. */
export const cutOff = ({ conn }: FeedSocket): void => void conn.request.socket.destroy();

type Waiting = { signal: AbortSignal; onStuck: () => void; maxWaitMs?: number };
/**
 * Resolves, always in a later turn of the event loop, when the client has read most of its backlog, `signal` is aborted, or
 * `maxWaitMs` have passed. A client whose data does not move for 5 to 10 s is cut off, after `onStuck`; a slow connection is not.
 */
export async function untilDrained(socket: FeedSocket, { signal, onStuck, maxWaitMs }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (mayWrite(socket) || signal.aborted) {
    setImmediate(resolve);
    return promise;
  }
  const { request, transport } = socket.conn;
  const connection = request.socket;
  // The transport is ready when its last write is done, and then takes all packets that waited in the meantime. The `drain` of
  // engine.io's socket only means that the transport has taken packets.
  const onReady = (): void => {
    if (mayWrite(socket)) resolve();
  };
  const onAbort = (): void => resolve();
  const onTimeout = (): void => {
    onStuck();
    cutOff(socket);
  };
  // Node restarts this timeout whenever a large write makes progress, which nothing else shows.
  connection.setTimeout(stuckAfterMs, onTimeout);
  const timer = maxWaitMs === undefined ? undefined : setTimeout(resolve, maxWaitMs);
  transport.on('ready', onReady);
  signal.addEventListener('abort', onAbort, { once: true });
  await promise;
  clearTimeout(timer);
  connection.setTimeout(0);
  connection.off('timeout', onTimeout);
  transport.off('ready', onReady);
  signal.removeEventListener('abort', onAbort);
}
