import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import * as scripts from './pin-check-scripts.ts';
import { maxAttempts } from './pin.ts';
import { attemptsKey, minPinVersionKey, stepUpTokenKey } from './redis-keys.ts';

/** How long a check may run before its slot is freed and its result is void, in milliseconds. */
const checkTimeoutMs = 10_000;
/** How long Redis keeps the minimum version, in milliseconds: longer than any step-up token is valid. */
const minVersionExpiryMs = 150_000;
/** How long Redis keeps a token after its expiry, in milliseconds, so that the response is "expired" and not "unknown". */
const tokenExpiryMarginMs = 5000;

type Block = { until: number; wrong: number; pinId: string };
export type ReservedCheck =
  | { kind: 'reserved'; checkId: string; running: number; wrong: number | null }
  | { kind: 'busy' }
  | ({ kind: 'blocked' } & Block);
export type RightResult =
  | { kind: 'expired' }
  | { kind: 'outdated'; minPinVersion: number }
  | { kind: 'right'; cleared: number };
export type WrongResult =
  | { kind: 'expired' }
  | { kind: 'wrong'; attemptsRemaining: number }
  | { kind: 'blocked'; wrong: number };
export type PinCheckStore = ReturnType<typeof createPinCheckStore>;

/** Creates the store for PIN checks, wrong results and minimum PIN versions in Redis. */
export function createPinCheckStore(redis: Redis) {
  const client = defineScripts(redis);

  return {
    /**
     * Reserves a slot for a check and returns how many others are running (`running`). Call it before hashing the PIN. `wrong` is
     * null if Redis has no count.
     */
    reserveCheck: async (userId: number, now: number): Promise<ReservedCheck> => {
      const checkId = randomUUID();
      const args = [now, checkId, now + checkTimeoutMs, maxAttempts];
      const [kind, first, wrong, pinId] = await client.reservePinCheck(attemptsKey(userId), ...args);
      if (kind === 'blocked') return { kind, until: Number(first), wrong: Number(wrong), pinId: String(pinId) };
      if (kind !== 'reserved') return { kind: 'busy' };
      return { kind, checkId, running: Number(first), wrong: wrong === null ? null : Number(wrong) };
    },
    /** Frees the slot of a check that has no result. */
    releaseCheck: async (userId: number, checkId: string): Promise<void> => {
      await redis.hdel(attemptsKey(userId), checkId);
    },
    /**
     * Counts a wrong result. The result that reaches `maxWrong` blocks the PIN until `until`. If Redis has no count, counting
     * starts at `storedWrong`.
     */
    settleWrong: async (
      userId: number,
      result: { now: number; checkId: string; maxWrong: number; until: number; pinId: string; storedWrong: number },
    ): Promise<WrongResult> => {
      const { now, checkId, maxWrong, until, pinId, storedWrong } = result;
      const args = [now, checkId, maxWrong, until, pinId, until - now + 60_000, storedWrong];
      const [kind, count] = await client.settleWrongPin(attemptsKey(userId), ...args);
      if (kind === 'wrong') return { kind, attemptsRemaining: Number(count) };
      return kind === 'blocked' ? { kind, wrong: Number(count) } : { kind: 'expired' };
    },
    /**
     * Resets the number of wrong results (`storedWrong` if Redis has none) and stores `token` if given. `expired`: the slot was
     * lost. `outdated`: `minPinVersion` is higher than `pinVersion`. In both cases nothing else changes.
     */
    settleRight: async (
      userId: number,
      result: {
        now: number;
        checkId: string;
        pinVersion: number;
        storedWrong: number;
        token?: { jti: string; lifetimeMs: number };
      },
    ): Promise<RightResult> => {
      const { now, checkId, pinVersion, storedWrong, token } = result;
      const keys = [attemptsKey(userId), minPinVersionKey(userId), stepUpTokenKey(userId, token?.jti ?? '')];
      const expiryMs = token ? token.lifetimeMs + tokenExpiryMarginMs : 0;
      const args = [now, checkId, pinVersion, expiryMs, storedWrong];
      const [kind, number] = await client.settleRightPin(...keys, ...args);
      if (kind === 'right') return { kind, cleared: Number(number) };
      return kind === 'outdated' ? { kind, minPinVersion: Number(number) } : { kind };
    },
    /** Raises the minimum PIN version: from now on, no step-up token for a lower version is issued or accepted. */
    raiseMinPinVersion: async (
      userId: number,
      { version, attempts }: { version: number; attempts: 'keep' | 'delete' },
    ): Promise<void> => {
      const keys = [minPinVersionKey(userId), attemptsKey(userId)];
      await client.raiseMinPinVersion(...keys, version, minVersionExpiryMs, attempts === 'delete' ? 1 : 0);
    },
    /** Returns the number of wrong results (null if Redis has no count) and the end of the last block (0 if there was none). */
    getAttempts: async (userId: number): Promise<{ wrong: number | null; blockedUntil: number }> => {
      const [wrong, until] = await redis.hmget(attemptsKey(userId), 'wrong', 'until');
      return { wrong: wrong == null ? null : Number(wrong), blockedUntil: Number(until ?? 0) };
    },
  };
}

type Argument = string | number;
type Scripts = {
  reservePinCheck: (key: string, ...args: Argument[]) => Promise<[string, ...unknown[]]>;
  settleWrongPin: (key: string, ...args: Argument[]) => Promise<[string, ...unknown[]]>;
  settleRightPin: (...args: Argument[]) => Promise<['expired' | 'outdated' | 'right', ...unknown[]]>;
  raiseMinPinVersion: (...args: Argument[]) => Promise<unknown>;
};

function defineScripts(redis: Redis): Scripts {
  redis.defineCommand('reservePinCheck', { numberOfKeys: 1, lua: scripts.reserve });
  redis.defineCommand('settleWrongPin', { numberOfKeys: 1, lua: scripts.settleWrong });
  redis.defineCommand('settleRightPin', { numberOfKeys: 3, lua: scripts.settleRight });
  redis.defineCommand('raiseMinPinVersion', { numberOfKeys: 2, lua: scripts.raiseMinPinVersion });
  return redis as unknown as Scripts;
}
