import { createHash, randomUUID } from 'node:crypto';
import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Redis } from 'ioredis';

export type LimitStore = {
  /**
   * Counts one use by `subject`. The returned function takes the use back.
   * @throws 429 `rate_limited` with `Retry-After`
   */
  take: (subject: string) => Promise<() => Promise<void>>;
};
type Options = {
  redis: Redis;
  name: string;
  /** Uses in any period of `windowMs`. */
  maxUses: number;
  windowMs: number;
  logger: Logger;
  clock: Clock;
};

/** KEYS uses; ARGV now, windowMs, maxUses, id of this use. Returns 0, or in how many milliseconds a use is free again. */
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
type Scripts = { takeUse: (key: string, ...args: (string | number)[]) => Promise<number> };

/** A limit that all instances count together in Redis. While Redis does not answer, nothing is limited. */
export function createLimitStore({ redis, name, maxUses, windowMs, logger, clock }: Options): LimitStore {
  redis.defineCommand('takeUse', { numberOfKeys: 1, lua });
  const client = redis as unknown as Scripts;
  const warn = (error: unknown): void => logger.warn({ err: error, limit: name }, 'a limit could not be counted');

  return {
    take: async (subject) => {
      // The subject may be an e-mail address or a token, so Redis gets its hash.
      const key = `limit:${name}:${createHash('sha256').update(subject).digest('base64url')}`;
      const useId = randomUUID();
      const waitMs = await client.takeUse(key, clock(), windowMs, maxUses, useId).catch((error: unknown) => {
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
            'RateLimit-Policy': `"${name}";q=${maxUses};w=${windowMs / 1000}`,
            RateLimit: `"${name}";r=0;t=${seconds}`,
          },
        );
      }
      return async () => {
        await redis.zrem(key, useId).catch(warn);
      };
    },
  };
}
