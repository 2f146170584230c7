import { ipKeyGenerator } from 'express-rate-limit';
import { problem } from '@comanda/contracts/problems';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Passage } from '../passage.ts';
import { createRedisCounter } from './limit-store.ts';
import { createLocalCounter } from './local-counter.ts';
import type { Counted } from './local-counter.ts';

const windowMs = 60_000;

/** Each counts a request and says in `RateLimit` headers [IETF draft] what is left. @throws 429 `rate_limited` */
export type Limits = {
  /**
   * Against its user, or against its address (IPv6: the /56) where no valid token came, in this process alone: on every
   * request's way, so without a timer or a promise.
   */
  countAll: (passage: Passage) => void;
  /** A PIN check for step-up, against its user, for all gateways together; not at all while Redis is away. */
  countStepUp: (passage: Passage, caller: Caller) => Promise<void>;
};
type Options = {
  perMinute: { user: number; address: number; stepUp: number };
  redis: RedisLink;
  logger: Logger;
};

export function createLimits({ perMinute, redis, logger }: Options): Limits {
  const countHere = createLocalCounter(windowMs);
  const countThere = createRedisCounter({ redis, prefix: 'rate-limit:step-up:', windowMs, logger });
  const user = createQuota('general', perMinute.user);
  const address = createQuota('general', perMinute.address);
  const stepUp = createQuota('step-up', perMinute.stepUp);
  return {
    countAll: (passage) => {
      const { caller, client } = passage;
      if (caller) user(passage, countHere(caller.userId));
      else address(passage, countHere(ipKeyGenerator(client.address)));
    },
    countStepUp: async (passage, caller) => {
      const counted = await countThere(`user:${caller.userId}`);
      if (counted) stepUp(passage, counted);
    },
  };
}

/** So many in a window: says how many are left, and refuses the ones after. */
function createQuota(name: string, limit: number): (passage: Passage, counted: Counted) => void {
  const policy = `"${name}"; q=${limit}; w=${windowMs / 1000}`;
  return ({ headers }, { count, endsAt }) => {
    const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
    headers.push('RateLimit-Policy', policy, 'RateLimit', `"${name}"; r=${Math.max(0, limit - count)}; t=${seconds}`);
    if (count > limit) throw problem('rate_limited', {}, { 'Retry-After': String(seconds) });
  };
}
