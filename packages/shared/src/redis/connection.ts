import { Command, Redis, ReplyError } from 'ioredis';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Logger } from '../runtime/logger.ts';
import { redisAddress } from './redis-address.ts';

export type RedisLink = {
  client: Redis;
  isUp: () => boolean;
  close: () => Promise<void>;
};

const reconnectMs = 100;

/**
 * Connects to Redis, and reconnects when the connection is lost. A command fails immediately while Redis is down, and after
 * `timeoutMs` if Redis does not respond. No command is sent twice.
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
  // ioredis gives up when a failover is announced while it asks a Sentinel for the primary.
  client.on('end', () => {
    if (isClosed) return;
    setTimeout(() => {
      if (!isClosed) client.connect().catch(() => undefined); // the connection reports this error
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
 * Rejects commands without a reply after `timeoutMs`. Unlike ioredis's `commandTimeout`, it first reads what the
 * network has delivered: after the event loop was busy, timers run before replies that have already arrived.
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
  let isSettled = false; // becomes true immediately while Redis is down
  // The time limit starts when the command is written: at the end of this turn. Between a timer and an immediate, the event
  // loop's poll phase reads sockets.
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
 * Passes the commands from one turn of the event loop to the network together at its end: a write to the socket takes longer than
 * anything else about a command.
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

/** Returns true if the error is a reply from Redis itself. */
export const isReply = (error: unknown): error is Error => error instanceof ReplyError;

const unavailableMessages =
  /^(Connection is closed\.|Command timed out|Stream isn't writeable and enableOfflineQueue options is false|Reached the max retries per request limit)/;
const unavailableReplies = /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOPERM|NOREPLICAS|OOM|READONLY|TRYAGAIN)\b/;
/** Matches the error for a command that this account may not run in a script. */
const deniedInScript = /\bcan't run this command or subcommand|\bACL failure in script|\bhas no permissions to /;

/**
 * Returns a 503 for a Redis that is down, frozen, loading, currently cannot write, or denies this account a right; null for any
 * other error.
 */
export function redisProblem(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const isUnavailable =
    error.name === 'MaxRetriesPerRequestError' ||
    unavailableMessages.test(error.message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    (isReply(error) && (unavailableReplies.test(error.message) || deniedInScript.test(error.message)));
  return isUnavailable
    ? problem(
        'service_unavailable',
        { detail: "Redis isn't responding. Repeat the request in a second." },
        { 'Retry-After': '1' },
      )
    : null;
}
