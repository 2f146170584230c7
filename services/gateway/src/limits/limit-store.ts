import type { Options, Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import type { RedisReply } from 'rate-limit-redis';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Logger } from '@comanda/shared/runtime/logger';

type Counters = { redis: RedisLink; prefix: string; windowMs: number; logger: Logger };

/**
 * Counters that all gateways share. The store would keep a failed load of its script for ever, and with it be open for
 * ever: it is loaded again whenever Redis is ready.
 */
export function createRedisCounters({ redis, prefix, windowMs, logger }: Counters): Store {
  const { client } = redis;
  const store = new RedisStore({
    prefix,
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
  const load = (): void => {
    store
      .init({ windowMs } as Options)
      .catch((error: unknown) => logger.warn({ err: error }, 'the script of the rate limit could not be loaded'));
  };
  client.on('ready', load);
  if (redis.isUp()) load();
  store.windowMs = windowMs;
  return {
    prefix,
    increment: (key) => store.increment(key),
    decrement: (key) => store.decrement(key),
    resetKey: (key) => store.resetKey(key),
  };
}
