import { createHash, randomUUID } from 'node:crypto';
import { problem } from '@comanda/contracts/problems';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Redis } from 'ioredis';

export type Limit = {
  /**
   * Counts one more of `what`; the function that it resolves to takes it back.
   * @throws 429 `rate_limited` with `Retry-After`
   */
  take: (what: string) => Promise<() => Promise<void>>;
};
type Options = {
  redis: Redis;
  name: string;
  /** So many in any `windowMs`. */
  most: number;
  windowMs: number;
  logger: Logger;
  /** Milliseconds since the epoch. */
  clock: () => number;
};

/** KEYS taken; ARGV now, windowMs, most, member. → 0, or in how many milliseconds there is room again */
const lua = `
local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return tonumber(oldest[2]) + window - now
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], window)
return 0
`;
type Scripted = { takeOne: (key: string, ...args: (string | number)[]) => Promise<number> };

/** Counts in Redis, for all instances together; open while Redis does not answer. */
export function createLimit({ redis, name, most, windowMs, logger, clock }: Options): Limit {
  redis.defineCommand('takeOne', { numberOfKeys: 1, lua });
  const scripted = redis as unknown as Scripted;
  const warn = (error: unknown): void => logger.warn({ err: error, limit: name }, 'a limit could not be counted');

  return {
    take: async (what) => {
      // What is counted may be an e-mail or a token: Redis need not know it.
      const key = `limit:${name}:${createHash('sha256').update(what).digest('base64url')}`;
      const member = randomUUID();
      const waitMs = await scripted.takeOne(key, clock(), windowMs, most, member).catch((error: unknown) => {
        warn(error);
        return 0;
      });
      if (waitMs > 0) {
        const seconds = Math.max(1, Math.ceil(waitMs / 1000));
        throw problem(
          'rate_limited',
          {},
          {
            'Retry-After': String(seconds),
            'RateLimit-Policy': `"${name}";q=${most};w=${windowMs / 1000}`,
            RateLimit: `"${name}";r=0;t=${seconds}`,
          },
        );
      }
      return async () => {
        await redis.zrem(key, member).catch(warn);
      };
    },
  };
}
