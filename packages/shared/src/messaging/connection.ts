import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import type { Logger } from '../runtime/logger.ts';

export type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';

/**
 * A function that uses one connection. When the function returns or rejects, or `lost` is aborted, the connection is closed and
 * replaced by a new one.
 */
export type Session = (connection: ChannelModel, lost: AbortSignal) => Promise<void>;
export type KeptConnection = { close: () => Promise<void> };
type Options = {
  /** The broker's URL, or the URLs of a cluster's nodes, separated by commas. Each reconnection tries the next node. */
  url: string;
  /** The connection's name in the broker's list of connections and in the log. */
  name: string;
  logger: Logger;
  session: Session;
};

const connectTimeoutMs = 5000;
/** The heartbeat interval in seconds, as agreed with the broker. The broker sends a heartbeat every half interval. */
const heartbeatS = 5;
/**
 * After this many seconds without a byte from the broker, the broker is considered unreachable. amqplib itself would wait for up
 * to three heartbeat intervals.
 */
const maxSilentChecks = 7;
const firstDelayMs = 100;
const maxDelayMs = 2000;
/** A repeated warning is logged only once in this many failed attempts, which take about half a minute. */
const warnOfEvery = 15;

/**
 * Keeps one AMQP connection open until `close` is called. Returns immediately: connects in the background, and reconnects after
 * 0.1 to 2 s, with jitter. Detects a frozen broker within 8 s.
 */
export function keepConnected({ url, name, logger, session }: Options): KeptConnection {
  const shutdown = new AbortController();
  const targets = url.split(',').map(withHeartbeat);
  // Each instance starts with a random node, so that the loss of one node does not disconnect all instances.
  const first = randomInt(targets.length);

  async function run(): Promise<void> {
    let failures = 0;
    /** The messages logged in the last `warnOfEvery` attempts, so that the same warning is not logged again. */
    const warnings = new Set<string>();
    for (let attempt = first; !shutdown.signal.aborted; attempt++, failures++) {
      const target = targets[attempt % targets.length] ?? '';
      const log = logger.child({ broker: new URL(target).host, connection: name });
      const started = performance.now();
      const hasLasted = (): boolean => performance.now() - started > 2 * connectTimeoutMs;
      const warn: Warn = (err, what) => {
        if (hasLasted() || failures % warnOfEvery === 0) warnings.clear();
        const warning = `${what}: ${(err as Error).message}`;
        if (!warnings.has(warning)) log.warn({ err }, what);
        warnings.add(warning);
      };
      try {
        await runOnce(target, { name, log, warn, session, shutdownSignal: shutdown.signal });
      } catch (error) {
        warn(error, 'RabbitMQ cannot be reached');
      }
      if (hasLasted()) failures = 0;
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
      await sleep(delayMs, undefined, { signal: shutdown.signal }).catch(() => undefined); // close() aborts the pause
    }
  }
  const running = run();
  return {
    close: async () => {
      shutdown.abort(new Error('closed'));
      await running;
    },
  };
}

type Warn = (error: unknown, what: string) => void;
type Run = { name: string; log: Logger; warn: Warn; session: Session; shutdownSignal: AbortSignal };

/**
 * Opens a connection and runs one session on it. Rejects if the connection can't be opened. If an open connection ends, logs the
 * reason.
 */
async function runOnce(url: string, { name, log, warn, session, shutdownSignal }: Run): Promise<void> {
  const connection = await connect(url, {
    noDelay: true,
    timeout: connectTimeoutMs,
    clientProperties: { connection_name: name },
  });
  writeTogether(socketOf(connection));
  const lost = new AbortController();
  const end = (reason: unknown): void => lost.abort(reason instanceof Error ? reason : new Error('connection closed'));
  connection.on('error', end);
  connection.on('close', end);
  connection.on('blocked', (reason) => log.warn({ reason }, 'RabbitMQ has blocked the connection'));
  connection.on('unblocked', () => log.info('RabbitMQ has unblocked the connection'));
  const onShutdown = (): void => end(shutdownSignal.reason);
  shutdownSignal.addEventListener('abort', onShutdown, { once: true });
  if (shutdownSignal.aborted) onShutdown();
  const watch = watchSilence(connection, end);
  const isLost = new Promise<never>((_resolve, reject) => {
    lost.signal.addEventListener('abort', () => reject(lost.signal.reason), { once: true });
    if (lost.signal.aborted) reject(lost.signal.reason);
  });
  try {
    log.info('connected to RabbitMQ');
    await Promise.race([session(connection, lost.signal), isLost]);
  } catch (error) {
    if (!shutdownSignal.aborted)
      warn(
        error,
        lost.signal.aborted ? 'the connection to RabbitMQ is lost' : 'the connection to RabbitMQ is given up',
      );
  } finally {
    clearInterval(watch);
    shutdownSignal.removeEventListener('abort', onShutdown);
    end(new Error('the session has ended'));
    await closeConnection(connection);
  }
}

/**
 * Returns a connection's socket, which is missing from amqplib's types. Its byte count is the only sign that the broker is still
 * sending.
 */
const socketOf = (connection: ChannelModel): Socket => (connection.connection as unknown as { stream: Socket }).stream;

/**
 * Collects all messages and acknowledgements from one turn of the event loop and writes them together. amqplib writes each one
 * separately, and writing to the socket is the slowest part of publishing.
 */
function writeTogether(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let waits = false;
  socket.write = (...args: unknown[]) => {
    if (!waits) {
      waits = true;
      socket.cork();
      process.nextTick(() => {
        waits = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
}

function watchSilence(connection: ChannelModel, onSilent: (reason: Error) => void): NodeJS.Timeout {
  const socket = socketOf(connection);
  let lastBytesRead = socket.bytesRead;
  let silent = 0;
  // Counts checks instead of elapsed time: a process that was suspended must not conclude that the broker was frozen.
  return setInterval(() => {
    silent = socket.bytesRead === lastBytesRead ? silent + 1 : 0;
    lastBytesRead = socket.bytesRead;
    if (silent >= maxSilentChecks) onSilent(new Error(`nothing received for ${maxSilentChecks} s`));
  }, 1000);
}

/**
 * Closes the connection, waiting up to 1 s for the broker to respond. In any case, destroys the socket and stops amqplib's
 * heartbeat timers.
 */
export async function closeConnection(connection: ChannelModel): Promise<void> {
  connection.on('error', () => undefined); // without a listener, an error from a broker that is just stopping would be thrown
  const socket = socketOf(connection);
  const closed = connection.close().catch(() => undefined); // rejects if the connection is already closed
  await Promise.race([closed, sleep(1000, undefined, { ref: false })]);
  socket.destroy(new Error('connection closed')); // without an error, amqplib would keep its timers
}

function withHeartbeat(url: string): string {
  const target = new URL(url);
  target.searchParams.set('heartbeat', String(heartbeatS));
  return target.href;
}

/** Returns a promise that rejects when `channel` is closed by either side, with the error that closed it. */
export function untilClosed(channel: Channel): Promise<never> {
  let reason = new Error('channel closed');
  const { promise, reject } = Promise.withResolvers<never>();
  channel.on('error', (error) => (reason = error));
  channel.once('close', () => reject(reason));
  promise.catch(() => undefined); // callers may await the promise, but need not
  return promise;
}
