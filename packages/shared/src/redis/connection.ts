import { Command, Redis, ReplyError } from 'ioredis';
import { type Problem, unavailable } from '@comanda/contracts/problem';
import type { Logger } from '../runtime/logger.ts';
import { redisAddress } from './redis-address.ts';

export type RedisLink = {
  client: Redis;
  isUp: () => boolean;
  close: () => Promise<void>;
};

const reconnectMs = 100;

/**
 * Connects to Redis, and reconnects whenever the connection is lost. A command fails immediately while Redis is down, and after
 * `timeoutMs` milliseconds without a response. Commands are never retried.
 */
export function connectRedis(options: { url: string; prefix: string; timeoutMs: number; logger: Logger }): RedisLink {
  const { logger } = options;
  const address = redisAddress(options.url);
  const common = {
    keyPrefix: options.prefix,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1500,
    retryStrategy: (attempt: number) => Math.min(1000, 50 * attempt),
  };
  const client = 'url' in address ? new Redis(address.url, common) : new Redis({ ...common, ...address.sentinels });
  limitCommandTime(client, options.timeoutMs);
  writeTogether(client);
  client.on('error', (error: unknown) => logger.warn({ err: error }, 'Redis connection error'));
  client.on('ready', () => logger.info('Redis is ready'));
  let isClosed = false;
  // If a failover is announced while ioredis asks a Sentinel for the primary, ioredis ends the connection and does not reconnect.
  client.on('end', () => {
    if (isClosed) return;
    setTimeout(() => {
      if (!isClosed) client.connect().catch(() => undefined); // the connection's error event reports a failure
    }, reconnectMs);
  });
  return {
    client,
    isUp: () => client.status === 'ready',
    close: async () => {
      isClosed = true;
      client.disconnect();
    },
  };
}

/**
 * Rejects a command if there is no reply after `timeoutMs` milliseconds. Unlike ioredis's `commandTimeout`, this first reads the
 * replies that have already arrived: after the event loop was busy, its timers run before it reads sockets.
 */
function limitCommandTime(client: Redis, timeoutMs: number): void {
  const sendCommand = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    if (command instanceof Command) rejectLate(command, timeoutMs);
    return sendCommand(command, stream);
  };
}

function rejectLate(command: Command, timeoutMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false; // becomes true immediately if Redis is down
  // The time limit starts when the command is written, which is at the end of this turn of the event loop. When the timer fires,
  // `setImmediate` lets the event loop read its sockets once more.
  process.nextTick(() => {
    if (isSettled) return;
    timer = setTimeout(() => setImmediate(() => command.reject(new Error('Command timed out'))), timeoutMs);
  });
  const stop = (): void => {
    isSettled = true;
    clearTimeout(timer);
  };
  command.promise.then(stop, stop);
}

/**
 * Collects all commands from one turn of the event loop and writes them together. Writing to the socket is the slowest part of a
 * command.
 */
function writeTogether(client: Redis): void {
  const sendCommand = client.sendCommand.bind(client);
  let waits = false;
  client.sendCommand = (command, stream) => {
    const socket = client.stream as typeof client.stream | undefined; // the stream is undefined before the first connection
    if (socket && !waits) {
      waits = true;
      socket.cork();
      process.nextTick(() => {
        waits = false;
        socket.uncork();
      });
    }
    return sendCommand(command, stream);
  };
}

/** Returns true if this error is a reply from Redis itself. */
export const isReply = (error: unknown): error is Error => error instanceof ReplyError;

const unavailableMessages =
  /^(Connection is closed\.|Command timed out|Stream isn't writeable and enableOfflineQueue options is false|Reached the max retries per request limit)/;
const unavailableReplies = /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOPERM|NOREPLICAS|OOM|READONLY|TRYAGAIN)\b/;
/** Matches the errors with which Redis rejects a script because this account may not run one of its commands. */
const deniedInScript = /\bcan't run this command or subcommand|\bACL failure in script|\bhas no permissions to /;

/**
 * Returns a 503 if Redis is unavailable, can't write at the moment, or does not give this account a right that it needs. Returns
 * null for any other error.
 */
export function redisProblem(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const isUnavailable =
    error.name === 'MaxRetriesPerRequestError' ||
    unavailableMessages.test(error.message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    (isReply(error) && (unavailableReplies.test(error.message) || deniedInScript.test(error.message)));
  return isUnavailable ? unavailable({ detail: "Redis isn't responding. Repeat the request in a second." }) : null;
}
