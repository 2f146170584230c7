import { createHash, randomUUID } from 'node:crypto';
import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createOutageLog } from '@comanda/shared/runtime/outage-log';
import type { Redis } from 'ioredis';

export type LimitStore = {
  /**
   * Counts one use by `subject`. Returns a function that undoes the count.
   * @throws 429 `rate_limited` with `Retry-After`
   */
  take: (subject: string) => Promise<() => Promise<void>>;
};
type Options = {
  redis: Redis;
  name: string;
  /** How many uses are allowed in any period of `windowMs`. */
  maxUses: number;
  windowMs: number;
  logger: Logger;
  clock: Clock;
};

/** How many subjects an instance counts per window. It stores two windows: up to 20,000 subjects per limit, about 3 MB. */
const maxLocalKeys = 10_000;

/**
 * Counts a use in Redis. KEYS uses; ARGV now, windowMs, maxUses, id of this use. Returns 0, or the milliseconds until the next
 * use is allowed.
 */
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

/**
 * Creates a limit that all instances count together in Redis. Each instance also counts its own uses: while Redis is down, that
 * local count decides, so the limit always applies.
 */
export function createLimitStore({ redis, name, maxUses, windowMs, logger, clock }: Options): LimitStore {
  redis.defineCommand('takeUse', { numberOfKeys: 1, lua });
  const client = redis as unknown as Scripts;
  const countLocally = createLocalCounter({ windowMs, clock, maxKeys: maxLocalKeys });
  const message = 'Redis does not count a limit; this instance counts by itself';
  const outage = createOutageLog(logger, { limit: name }, message);

  /** Returns how many milliseconds to wait until a use is allowed; 0 if this use is allowed. */
  async function waitMsOf(key: string, useId: string, local: { count: number; endsAt: number }): Promise<number> {
    const localCount = local.count; // saved, because concurrent uses change the count while Redis counts
    try {
      const waitMs = await client.takeUse(key, clock(), windowMs, maxUses, useId);
      outage.worked();
      return waitMs;
    } catch (error) {
      outage.failed(error);
      return localCount > maxUses ? local.endsAt - clock() : 0;
    }
  }
  return {
    take: async (subject) => {
      // Redis only gets a hash, because the subject may be an e-mail address or a token.
      const subjectHash = createHash('sha256').update(subject).digest('base64url');
      const key = `limit:${name}:${subjectHash}`;
      const useId = randomUUID();
      const local = countLocally(subjectHash);
      const waitMs = await waitMsOf(key, useId, local);
      if (waitMs > 0) throw rateLimited({ name, maxUses, windowMs, waitMs });
      return async () => {
        local.count--;
        await redis.zrem(key, useId).catch(outage.failed);
      };
    },
  };
}

type Refusal = { name: string; maxUses: number; windowMs: number; waitMs: number };
function rateLimited({ name, maxUses, windowMs, waitMs }: Refusal) {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return problem(
    'rate_limited',
    {},
    {
      'Retry-After': String(seconds),
      'RateLimit-Policy': `"${name}";q=${maxUses};w=${windowMs / 1000}`,
      RateLimit: `"${name}";r=0;t=${seconds}`,
    },
  );
}
