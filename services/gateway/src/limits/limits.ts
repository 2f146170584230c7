import { ipKeyGenerator } from 'express-rate-limit';
import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { RequestState } from '../request-state.ts';
import { createLocalCounter } from './local-counter.ts';
import type { Count } from './local-counter.ts';
import { createRedisCounter } from './redis-counter-store.ts';

const windowMs = 60_000;

/** Each counts a request and adds the `RateLimit` headers [IETF draft]. @throws 429 `rate_limited` */
export type Limits = {
  /**
   * Counts for the user or, without a valid token, for the address (an IPv6 address by its /56 network). Counts in this
   * process only: every request is counted, so this needs neither a timer nor a promise.
   */
  countRequest: (state: RequestState) => void;
  /** Counts a PIN check for step-up, for the user, over all gateways. Does nothing while Redis is unavailable. */
  countStepUp: (state: RequestState, caller: Caller) => Promise<void>;
};
type Options = {
  perMinute: { user: number; address: number; stepUp: number };
  redis: RedisLink;
  logger: Logger;
  clock: Clock;
};

export function createLimits({ perMinute, redis, logger, clock }: Options): Limits {
  const countLocally = createLocalCounter(windowMs, clock);
  const countInRedis = createRedisCounter({ redis, prefix: 'rate-limit:step-up:', windowMs, logger, clock });
  const userQuota = createQuota({ name: 'general', limit: perMinute.user, clock });
  const addressQuota = createQuota({ name: 'general', limit: perMinute.address, clock });
  const stepUpQuota = createQuota({ name: 'step-up', limit: perMinute.stepUp, clock });
  return {
    countRequest: (state) => {
      const { caller, client } = state;
      if (caller) userQuota(state, countLocally(caller.userId));
      else addressQuota(state, countLocally(ipKeyGenerator(client.address)));
    },
    countStepUp: async (state, caller) => {
      const count = await countInRedis(`user:${caller.userId}`);
      if (count) stepUpQuota(state, count);
    },
  };
}

type Quota = { name: string; limit: number; clock: Clock };

/** Adds to the response how many requests are left in this window, and refuses those over the limit. */
function createQuota({ name, limit, clock }: Quota): (state: RequestState, count: Count) => void {
  const policy = `"${name}"; q=${limit}; w=${windowMs / 1000}`;
  return ({ responseHeaders }, { count, endsAt }) => {
    const seconds = Math.max(1, Math.ceil((endsAt - clock()) / 1000));
    const remaining = Math.max(0, limit - count);
    responseHeaders.push('RateLimit-Policy', policy, 'RateLimit', `"${name}"; r=${remaining}; t=${seconds}`);
    if (count > limit) throw problem('rate_limited', {}, { 'Retry-After': String(seconds) });
  };
}
