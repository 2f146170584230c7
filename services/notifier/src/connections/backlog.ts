import type { FeedSocket } from './socket-types.ts';

/** The most that is written to a client before it must have read some of it. */
export const maxPacketsPerWrite = 128;
export const maxBytesPerWrite = 256 * 1024;
/** A live client with a larger backlog is behind. */
const maxLiveBacklog = { packets: 512, bytes: 512 * 1024 };
/** A client to which no byte moves for so long, or up to twice as long, is cut off. */
const stuckAfterMs = 5000;

type Packet = { data?: string | Buffer };
/**
 * What waits for the client: packets for the transport, and bytes for the connection. Only this tells how far behind a
 * client is, and engine.io's types hide it.
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

/** Ends the connection without waiting for a client that does not read. The client may connect again. */
export const cutOff = ({ conn }: FeedSocket): void => void conn.request.socket.destroy();

type Waiting = { signal: AbortSignal; onStuck: () => void; maxWaitMs?: number };
/**
 * Resolves, always in a later turn of the event loop, when the client has read most of its backlog, `signal` is aborted,
 * or `maxWaitMs` have passed. A client to which no byte moves for 5 to 10 s is cut off, after `onStuck`; one on a
 * slow connection is not.
 */
export async function untilDrained(socket: FeedSocket, { signal, onStuck, maxWaitMs }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (mayWrite(socket) || signal.aborted) {
    setImmediate(resolve);
    return promise;
  }
  const { request, transport } = socket.conn;
  const connection = request.socket;
  // The transport is ready when its last write is done, and has then been given all packets that waited meanwhile. The
  // `drain` of engine.io's socket only says that packets were given to the transport.
  const onReady = (): void => {
    if (mayWrite(socket)) resolve();
  };
  const onAbort = (): void => resolve();
  const onTimeout = (): void => {
    onStuck();
    cutOff(socket);
  };
  // Node begins this time-out again when a large write has made progress, which nothing else shows.
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
