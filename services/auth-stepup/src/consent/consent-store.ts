import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import * as scripts from './consent-scripts.ts';

/** Most wrong results and checks under way together. */
export const mostAttempts = 3;
/** A check that has not ended after this is none. */
const reservationMs = 10_000;
/** Longer than any step-up token lives. */
const floorMs = 150_000;
/** Redis forgets a token this long after it has run out, so that it is "expired" first and not "unknown". */
const tidyMs = 5000;

type Block = { until: number; wrong: number; pinId: string };
export type Reserved = { is: 'reserved'; id: string; place: number } | { is: 'busy' } | ({ is: 'blocked' } & Block);
export type WrongSettled = { is: 'gone' } | { is: 'wrong'; left: number } | { is: 'blocked'; wrong: number };
export type Spent = { is: 'unknown' | 'outdated' | 'used' } | { is: 'spent'; pinVersion: number; first: boolean };
export type ConsentStore = ReturnType<typeof createConsentStore>;

/** Attempts, version floors and step-up tokens in Redis; keys of one user share a hash slot. */
export function createConsentStore(redis: Redis) {
  const client = defineScripts(redis);
  const attempts = (userId: number): string => `attempts:{${userId}}`;
  const floor = (userId: number): string => `floor:{${userId}}`;
  const jtiKey = (userId: number, jti: string): string => `jti:{${userId}}:${jti}`;

  return {
    /** A place among the checks under way, before the PIN is hashed. */
    reserve: async (userId: number, now: number): Promise<Reserved> => {
      const id = randomUUID();
      const args = [now, id, now + reservationMs, mostAttempts];
      const [is, a, b, c] = await client.consentReserve(attempts(userId), ...args);
      if (is === 'blocked') return { is, until: Number(a), wrong: Number(b), pinId: String(c) };
      return is === 'reserved' ? { is, id, place: Number(a) } : { is: 'busy' };
    },
    /** Gives the place back: nothing was checked. */
    release: async (userId: number, reservation: string): Promise<void> => {
      await redis.hdel(attempts(userId), reservation);
    },
    /** Counts a wrong result; the one that reaches `limit` blocks until `until`. */
    settleWrong: async (
      userId: number,
      result: { now: number; reservation: string; limit: number; until: number; pinId: string },
    ): Promise<WrongSettled> => {
      const { now, reservation, limit, until, pinId } = result;
      const args = [now, reservation, limit, until, pinId, until - now + 60_000];
      const [is, a] = await client.consentSettleWrong(attempts(userId), ...args);
      if (is === 'wrong') return { is, left: Number(a) };
      return is === 'blocked' ? { is, wrong: Number(a) } : { is: 'gone' };
    },
    /** Resets the count and, with `token`, makes that token known; `outdated` where the PIN is of an older version. */
    settleRight: async (
      userId: number,
      result: { now: number; reservation: string; pinVersion: number; token?: { jti: string; livesMs: number } },
    ): Promise<'gone' | 'outdated' | 'right'> => {
      const { now, reservation, pinVersion, token } = result;
      const keys = [attempts(userId), floor(userId), jtiKey(userId, token?.jti ?? '')] as const;
      const livesMs = token ? token.livesMs + tidyMs : 0;
      return client.consentSettleRight(...keys, now, reservation, pinVersion, livesMs);
    },
    /** From now on nothing is issued or spent that was consented to below `version`. */
    raiseFloor: async (userId: number, version: number, attemptsAre: 'kept' | 'forgotten' = 'kept'): Promise<void> => {
      const forget = attemptsAre === 'forgotten' ? 1 : 0;
      await client.consentRaiseFloor(floor(userId), attempts(userId), version, floorMs, forget);
    },
    /** What counts against this user's PIN now. */
    attempts: async (userId: number): Promise<{ wrong: number; blockedUntil: number }> => {
      const [wrong, until] = await redis.hmget(attempts(userId), 'wrong', 'until');
      return { wrong: Number(wrong ?? 0), blockedUntil: Number(until ?? 0) };
    },
    /** Spends a token, once; `by` is the hash of a call that may ask again, or null. */
    spend: async (userId: number, { jti, by }: { jti: string; by: string | null }): Promise<Spent> => {
      const said = await client.consentConsume(jtiKey(userId, jti), floor(userId), by ?? '-');
      const [is, version] = said.split(':');
      if (version !== undefined) return { is: 'spent', pinVersion: Number(version), first: is === 'first' };
      return { is: is as 'unknown' | 'outdated' | 'used' };
    },
  };
}

type Argument = string | number;
type Scripted = {
  consentReserve: (key: string, ...args: Argument[]) => Promise<[string, ...unknown[]]>;
  consentSettleWrong: (key: string, ...args: Argument[]) => Promise<[string, ...unknown[]]>;
  consentSettleRight: (...args: Argument[]) => Promise<'gone' | 'outdated' | 'right'>;
  consentRaiseFloor: (...args: Argument[]) => Promise<unknown>;
  consentConsume: (...args: Argument[]) => Promise<string>;
};

function defineScripts(redis: Redis): Scripted {
  redis.defineCommand('consentReserve', { numberOfKeys: 1, lua: scripts.reserve });
  redis.defineCommand('consentSettleWrong', { numberOfKeys: 1, lua: scripts.settleWrong });
  redis.defineCommand('consentSettleRight', { numberOfKeys: 3, lua: scripts.settleRight });
  redis.defineCommand('consentRaiseFloor', { numberOfKeys: 2, lua: scripts.raiseFloor });
  redis.defineCommand('consentConsume', { numberOfKeys: 2, lua: scripts.consume });
  return redis as unknown as Scripted;
}
