import { RedisStore, type RedisReply } from 'rate-limit-redis';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createOutageLog } from '@comanda/shared/runtime/outage-log';

/** The number of requests so far in this window, and the window's end in milliseconds since the epoch. */
export type Count = { readonly count: number; readonly endsAt: number };
type Options = { redis: RedisLink; prefix: string; windowMs: number; logger: Logger; clock: Clock };

/**
 * Creates a counter by key, for all gateways together. The counter returns null while Redis is down.
 *
 * RedisStore loads its script once, and stays unusable if that fails. Here the script is loaded whenever Redis becomes ready.
 */
export function createRedisCounter(options: Options): (key: string) => Promise<Count | null> {
  const { redis, prefix, windowMs, logger, clock } = options;
  const { client } = redis;
  const store = new RedisStore({
    prefix,
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
  const outage = createOutageLog(logger, {}, 'Redis does not count; this gateway counts by itself');
  const loadScript = (): void => void store.init({ windowMs } as Parameters<typeof store.init>[0]).catch(outage.failed);
  client.on('ready', loadScript);
  if (redis.isUp()) loadScript();

  return async (key) => {
    if (!redis.isUp()) return null;
    try {
      const { totalHits, resetTime } = await store.increment(key);
      outage.worked();
      return { count: totalHits, endsAt: resetTime?.getTime() ?? clock() + windowMs };
    } catch (error) {
      outage.failed(error);
      return null;
    }
  };
}
