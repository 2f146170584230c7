import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { attemptRules } from './tablet.ts';

/** A user's attempt to sign in on a tablet. `pinId` is null if the user with this id may not sign in. */
export type Attempt = { tabletId: string; userId: number; pinId: string | null };
/**
 * The result of counting an attempt. `until`: when the next attempt is allowed; null if no further attempt is allowed with this
 * PIN.
 */
export type TakenAttempt =
  | { kind: 'counted'; attemptId: string; remaining: number; until: number | null }
  | { kind: 'blocked'; until: number | null };
export type TabletAttemptStore = ReturnType<typeof createTabletAttemptStore>;

/**
 * Lua scripts that count attempts. Redis runs each one atomically. Callers pass all times, in milliseconds since the epoch. An
 * attempt counts as wrong before its PIN is checked, and is uncounted if the PIN was right or there is no result. So simultaneous
 * attempts cannot exceed the limit.
 *
 * `person` is a hash: `wrong` is the number of wrong PINs since the last block, `failures` the number in a row, and `until` the
 * end of the block. `tablet` contains all wrong attempts on this tablet in the last hour, sorted by time.
 *
 * Counts an attempt. KEYS person, tablet; ARGV now, attemptId, maxWrong, end of a block, maxFailures, maxOfTablet, windowMs,
 * expiryMs. Returns {'blocked', until}, {'used up'}, or {'counted', remaining attempts, 1 if this was the last attempt allowed in
 * a row}.
 */
const take = `
local now, maxWrong, window = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[7])
local known = redis.call('HMGET', KEYS[1], 'wrong', 'failures', 'until')
local wrong, failures, blocked = tonumber(known[1] or 0), tonumber(known[2] or 0), tonumber(known[3] or 0)
if failures >= tonumber(ARGV[5]) then return { 'used up' } end
if blocked > now then return { 'blocked', blocked } end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - window)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) then
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  return { 'blocked', tonumber(oldest[2]) + window }
end
if blocked > 0 then wrong = 0 end
wrong, failures = wrong + 1, failures + 1
redis.call('HSET', KEYS[1], 'wrong', wrong, 'failures', failures, 'until', wrong >= maxWrong and ARGV[4] or 0)
redis.call('PEXPIRE', KEYS[1], ARGV[8])
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('PEXPIRE', KEYS[2], window)
return { 'counted', maxWrong - wrong, failures >= tonumber(ARGV[5]) and 1 or 0 }
`;

/** Uncounts an attempt whose PIN was right, and resets the person's counts to zero. KEYS person, tablet; ARGV attemptId. */
const forget = `
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
`;

/** Uncounts an attempt that had no result. KEYS person, tablet; ARGV attemptId. */
const release = `
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 and redis.call('HGET', KEYS[1], 'wrong') then
  redis.call('HINCRBY', KEYS[1], 'wrong', -1)
  redis.call('HINCRBY', KEYS[1], 'failures', -1)
  redis.call('HSET', KEYS[1], 'until', 0)
end
`;

type Argument = string | number;
type Scripts = {
  takeTabletAttempt: (...args: Argument[]) => Promise<[string, ...unknown[]]>;
  forgetTabletAttempts: (...args: Argument[]) => Promise<unknown>;
  releaseTabletAttempt: (...args: Argument[]) => Promise<unknown>;
};

/**
 * Returns the keys `person` and `tablet`. All keys for one tablet share a hash slot. After the person sets a new PIN, counting
 * starts at zero.
 */
const keysOf = ({ tabletId, userId, pinId }: Attempt): [string, string] => [
  `tablet-attempts:{${tabletId}}:${userId}:${pinId ?? 'none'}`,
  `tablet-attempts:{${tabletId}}`,
];

/**
 * Creates the store for attempts to enter tablet PINs in Redis. They are counted by person and tablet, so attempts on one tablet
 * do not affect others.
 */
export function createTabletAttemptStore(redis: Redis) {
  redis.defineCommand('takeTabletAttempt', { numberOfKeys: 2, lua: take });
  redis.defineCommand('forgetTabletAttempts', { numberOfKeys: 2, lua: forget });
  redis.defineCommand('releaseTabletAttempt', { numberOfKeys: 2, lua: release });
  const client = redis as unknown as Scripts;
  return {
    /** Counts an attempt. Call it before hashing the PIN. */
    take: async (attempt: Attempt, now: number): Promise<TakenAttempt> => {
      const { maxWrong, blockMs, maxFailures, maxOfTablet, windowMs, expiryMs } = attemptRules;
      const attemptId = randomUUID();
      const end = now + blockMs;
      const limits = [maxWrong, end, maxFailures, maxOfTablet, windowMs, expiryMs];
      const [kind, first, isLast] = await client.takeTabletAttempt(...keysOf(attempt), now, attemptId, ...limits);
      if (kind === 'counted')
        return { kind, attemptId, remaining: isLast === 1 ? 0 : Number(first), until: isLast === 1 ? null : end };
      return { kind: 'blocked', until: kind === 'blocked' ? Number(first) : null };
    },
    forget: async (attempt: Attempt, attemptId: string): Promise<void> => {
      await client.forgetTabletAttempts(...keysOf(attempt), attemptId);
    },
    release: async (attempt: Attempt, attemptId: string): Promise<void> => {
      await client.releaseTabletAttempt(...keysOf(attempt), attemptId);
    },
  };
}
