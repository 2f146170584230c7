import type { FeedSocket } from './socket-types.ts';

/** Nothing more is written to a client while this many packets or bytes are waiting for it. */
export const maxPacketsPerWrite = 128;
export const maxBytesPerWrite = 256 * 1024;
/** The largest backlog of a live client. A client with a larger backlog counts as behind. */
const maxLiveBacklog = { packets: 512, bytes: 512 * 1024 };
/** How long no data may reach a client, in milliseconds, before the client is cut off. Detection may take twice as long. */
const stuckAfterMs = 5000;

type Packet = { data?: string | Buffer };
/**
 * Returns the client's backlog: packets waiting for the transport, and bytes waiting for the connection. engine.io's types hide
 * these numbers, but nothing else shows how far behind a client is.
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

/** Destroys the connection without waiting for a client that has stopped reading. The client may reconnect. */
export const cutOff = ({ conn }: FeedSocket): void => void conn.request.socket.destroy();

type Waiting = { signal: AbortSignal; onStuck: () => void; maxWaitMs?: number };
/**
 * Resolves when the client has read most of its backlog, `signal` is aborted, or `maxWaitMs` have passed, always in a later turn
 * of the event loop. If no data reaches the client for 5 to 10 s, calls `onStuck` and cuts the client off. Slow connections stay
 * open.
 */
export async function untilDrained(socket: FeedSocket, { signal, onStuck, maxWaitMs }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (mayWrite(socket) || signal.aborted) {
    setImmediate(resolve);
    return promise;
  }
  const { request, transport } = socket.conn;
  const connection = request.socket;
  // The transport is `ready` when its last write is done. It then takes all packets that waited in the meantime. The `drain`
  // event of engine.io's socket only means that the transport has taken packets.
  const onReady = (): void => {
    if (mayWrite(socket)) resolve();
  };
  const onAbort = (): void => resolve();
  const onTimeout = (): void => {
    onStuck();
    cutOff(socket);
  };
  // Node restarts this timeout whenever a large write makes progress. Nothing else shows that progress.
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
