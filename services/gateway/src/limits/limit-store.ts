import { RedisStore } from 'rate-limit-redis';
import type { RedisReply } from 'rate-limit-redis';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Counted } from './local-counter.ts';

type Counter = { redis: RedisLink; prefix: string; windowMs: number; logger: Logger };

/**
 * Counts for all gateways together; null while Redis is away. The store would keep a failed load of its script for
 * ever, and with it be of no use for ever: it is loaded again whenever Redis is ready.
 */
export function createRedisCounter({
  redis,
  prefix,
  windowMs,
  logger,
}: Counter): (key: string) => Promise<Counted | null> {
  const { client } = redis;
  const store = new RedisStore({
    prefix,
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
  const warn = (error: unknown): void => logger.warn({ err: error }, 'Redis does not count; requests pass uncounted');
  const load = (): void => void store.init({ windowMs } as Parameters<typeof store.init>[0]).catch(warn);
  client.on('ready', load);
  if (redis.isUp()) load();
  return async (key) => {
    if (!redis.isUp()) return null;
    try {
      const { totalHits, resetTime } = await store.increment(key);
      return { count: totalHits, endsAt: resetTime?.getTime() ?? Date.now() + windowMs };
    } catch (error) {
      warn(error);
      return null;
    }
  };
}
