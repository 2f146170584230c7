import type { Redis } from 'ioredis';
import { minPinVersionKey, stepUpTokenKey } from '../pin/redis-keys.ts';
import { spend } from './step-up-token-scripts.ts';

export type SpendResult =
  | { kind: 'unknown' | 'outdated' | 'used' | 'stopped' }
  | { kind: 'spent'; pinVersion: number; first: boolean };
export type StepUpTokenStore = ReturnType<typeof createStepUpTokenStore>;

type Scripts = { spendStepUpToken: (...args: string[]) => Promise<string> };

/**
 * Creates the store that spends step-up tokens in Redis. The PIN check store's `settleRight` stores them, in the step that
 * accepts the PIN.
 */
export function createStepUpTokenStore(redis: Redis) {
  redis.defineCommand('spendStepUpToken', { numberOfKeys: 2, lua: spend });
  const client = redis as unknown as Scripts;

  return {
    /** Spends a token once. `call` is the fingerprint of a request that may retry; null for a request that may not. */
    spend: async (
      userId: number,
      { jti, call, isStopped }: { jti: string; call: string | null; isStopped: boolean },
    ): Promise<SpendResult> => {
      const keys = [stepUpTokenKey(userId, jti), minPinVersionKey(userId)];
      const result = await client.spendStepUpToken(...keys, call ?? '-', isStopped ? 'stopped' : 'open');
      const [kind, version] = result.split(':');
      if (version !== undefined) return { kind: 'spent', pinVersion: Number(version), first: kind === 'first' };
      return { kind: kind as 'unknown' | 'outdated' | 'used' | 'stopped' };
    },
  };
}
