import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createOutageLog } from '@comanda/shared/runtime/outage-log';

/** The number of requests so far in this window, and the window's end in milliseconds since the epoch. */
export type Count = { readonly count: number; readonly endsAt: number };
type Options = { redis: RedisLink; prefix: string; windowMs: number; logger: Logger; clock: Clock };

/**
 * Counts one request. KEYS the count; ARGV windowMs. Returns the count, and how many milliseconds are left in its window.
 * Gateways of release 1.0.0 may use the same count at the same time. So the script uses only commands that
 * `deploy/rights/redis.acl` of that release allows.
 */
const lua = `
local leftMs = redis.call('PTTL', KEYS[1])
if leftMs <= 0 then
  redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
  return { 1, tonumber(ARGV[1]) }
end
return { redis.call('INCR', KEYS[1]), leftMs }
`;
type Scripts = { countRequest: (key: string, windowMs: number) => Promise<[count: number, leftMs: number]> };

/** Creates a function that counts requests by key, for all gateways together. The function returns null while Redis is down. */
export function createRedisCounter(options: Options): (key: string) => Promise<Count | null> {
  const { redis, prefix, windowMs, logger, clock } = options;
  redis.client.defineCommand('countRequest', { numberOfKeys: 1, lua });
  const client = redis.client as unknown as Scripts;
  const outage = createOutageLog(logger, {}, 'Redis does not count; this gateway counts by itself');

  return async (key) => {
    if (!redis.isUp()) return null;
    try {
      const [count, leftMs] = await client.countRequest(prefix + key, windowMs);
      outage.worked();
      return { count, endsAt: clock() + leftMs };
    } catch (error) {
      outage.failed(error);
      return null;
    }
  };
}
