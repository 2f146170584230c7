import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { StepUpTokenRequest } from '@comanda/testing/auth-stepup-process';
import type { createKeyStore } from '../../src/keys/key-store.ts';
import { createPinCheckStore } from '../../src/pin/pin-check-store.ts';
import { stepUpTokenKey } from '../../src/pin/redis-keys.ts';
import { createStepUpTokens, stepUpLifetimeS } from '../../src/step-up/step-up-token.ts';
import { signingKey } from './test-users.ts';

type Options = { keys: ReturnType<typeof createKeyStore>; redis: Redis; clock: () => number };

/** Creates an issuer of step-up tokens. It issues them as the service does for a right PIN, but without hashing. */
export function createStepUpTokenIssuer({ keys, redis, clock }: Options) {
  const pinChecks = createPinCheckStore(redis);
  let signing: ReturnType<typeof signingKey> | null = null;
  let previous: Promise<unknown> = Promise.resolve();

  async function issue({ userId, endpointKey, details, issuedAt = clock() }: StepUpTokenRequest): Promise<string> {
    const key = await (signing ??= signingKey(keys, clock()));
    const jti = randomUUID();
    const reserved = await pinChecks.reserveCheck(userId, clock());
    if (reserved.kind !== 'reserved') throw new Error(`no slot for a PIN check: ${reserved.kind}`);
    const result = await pinChecks.settleRight(userId, {
      now: clock(),
      checkId: reserved.checkId,
      pinVersion: 1,
      storedWrong: 0,
      token: { jti, lifetimeMs: stepUpLifetimeS * 1000 },
    });
    if (result.kind !== 'right') throw new Error(`no step-up token: ${result.kind}`);
    const tokens = createStepUpTokens({ keys: key, issuer: 'comanda', clock: () => issuedAt });
    return tokens.issue({ jti, userId, endpointKey, details: details ?? null });
  }
  return {
    /** Issues a token. Waits for the previous one, because a user may have at most three PIN checks at a time. */
    issue: (request: StepUpTokenRequest): Promise<string> => {
      const issued = previous.then(() => issue(request));
      previous = issued.catch(() => undefined); // the caller gets the error
      return issued;
    },
    unspend: async ({ userId, jti }: { userId: number; jti: string }): Promise<void> => {
      await redis.set(stepUpTokenKey(userId, jti), '1', 'PX', 100_000);
    },
  };
}
