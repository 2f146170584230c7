import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import type { Channel, ChannelModel } from 'amqplib';
import type { Logger } from '../runtime/logger.ts';

export type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';

/**
 * What is done with one connection, for as long as it lasts. When the session ends, by returning or by failing, or when
 * `lost` is aborted, the connection is given up and the next one is made.
 */
export type Session = (connection: ChannelModel, lost: AbortSignal) => Promise<void>;
export type KeptConnection = { close: () => Promise<void> };
type Options = {
  url: string;
  /** Shown in the broker's list of connections, and in the log. */
  name: string;
  logger: Logger;
  session: Session;
};

const connectTimeoutMs = 5000;
/** The broker sends a heartbeat every half of this. */
const heartbeatS = 5;
/** So many seconds without one byte: frozen, or cut off. amqplib itself would take up to three heartbeats. */
const silentChecks = 7;
const firstDelayMs = 100;
const longestDelayMs = 2000;

/**
 * Keeps one AMQP connection alive: returns at once, connects, and connects again for as long as it is not closed, after
 * 0.1 to 2 s with jitter. A broker that is there but frozen counts as gone within 8 s.
 */
export function keepConnected({ url, name, logger, session }: Options): KeptConnection {
  const stop = new AbortController();
  const target = withHeartbeat(url);
  const log = logger.child({ broker: new URL(url).host, connection: name });

  async function keep(): Promise<void> {
    for (let failures = 0; !stop.signal.aborted; failures++) {
      const started = performance.now();
      try {
        await runOnce(target, { name, log, session, stop: stop.signal });
      } catch (error) {
        if (failures % 15 === 0) log.warn({ err: error }, 'RabbitMQ cannot be reached');
      }
      if (performance.now() - started > 2 * connectTimeoutMs) failures = 0;
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
      await sleep(delayMs, undefined, { signal: stop.signal }).catch(() => undefined); // only close() ends it early
    }
  }
  const kept = keep();
  return {
    close: async () => {
      stop.abort(new Error('closed'));
      await kept;
    },
  };
}

type Run = { name: string; log: Logger; session: Session; stop: AbortSignal };

/** Fails where no connection can be made; how one that was made has ended is logged. */
async function runOnce(url: string, { name, log, session, stop }: Run): Promise<void> {
  const connection = await connect(url, {
    noDelay: true,
    timeout: connectTimeoutMs,
    clientProperties: { connection_name: name },
  });
  const lost = new AbortController();
  const end = (reason: unknown): void => lost.abort(reason instanceof Error ? reason : new Error('connection closed'));
  connection.on('error', end);
  connection.on('close', end);
  connection.on('blocked', (reason) => log.warn({ reason }, 'RabbitMQ takes no messages for now'));
  connection.on('unblocked', () => log.info('RabbitMQ takes messages again'));
  const onStop = (): void => end(stop.reason);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  const watch = watchSilence(connection, end);
  const isLost = new Promise<never>((_resolve, reject) => {
    lost.signal.addEventListener('abort', () => reject(lost.signal.reason), { once: true });
    if (lost.signal.aborted) reject(lost.signal.reason);
  });
  try {
    log.info('connected to RabbitMQ');
    await Promise.race([session(connection, lost.signal), isLost]);
  } catch (error) {
    if (!stop.aborted) log.warn({ err: error }, 'the connection to RabbitMQ is lost');
  } finally {
    clearInterval(watch);
    stop.removeEventListener('abort', onStop);
    end(new Error('the session has ended'));
    await hangUp(connection);
  }
}

/** The socket below: amqplib's types do not have it, and nothing else tells whether the peer is heard. */
const socketOf = (connection: ChannelModel): Socket => (connection.connection as unknown as { stream: Socket }).stream;

function watchSilence(connection: ChannelModel, onSilent: (reason: Error) => void): NodeJS.Timeout {
  const socket = socketOf(connection);
  let heard = socket.bytesRead;
  let silent = 0;
  // Checks are counted, not the time, so that a process that was itself stopped does not blame the broker.
  return setInterval(() => {
    silent = socket.bytesRead === heard ? silent + 1 : 0;
    heard = socket.bytesRead;
    if (silent >= silentChecks) onSilent(new Error(`nothing heard for ${silentChecks} s`));
  }, 1000);
}

/** Says goodbye where somebody listens, and frees the socket in any case, and with it amqplib's timers of its heartbeat. */
async function hangUp(connection: ChannelModel): Promise<void> {
  const socket = socketOf(connection);
  const goodbye = connection.close().catch(() => undefined); // it is gone already: nothing to say goodbye to
  await Promise.race([goodbye, sleep(1000, undefined, { ref: false })]);
  socket.destroy(new Error('given up')); // without an error amqplib would not notice
}

function withHeartbeat(url: string): string {
  const target = new URL(url);
  target.searchParams.set('heartbeat', String(heartbeatS));
  return target.href;
}

/** Rejects when `channel` is closed by either side. Its errors come with the call that failed or with the closing. */
export function untilClosed(channel: Channel): Promise<never> {
  let reason = new Error('channel closed');
  const { promise, reject } = Promise.withResolvers<never>();
  channel.on('error', (error) => (reason = error));
  channel.once('close', () => reject(reason));
  promise.catch(() => undefined); // whoever awaits it is told; nobody has to
  return promise;
}
