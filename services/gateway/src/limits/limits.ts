import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { networkOf, type Client } from '@comanda/shared/http/client-address';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { RequestState } from '../request-state.ts';
import { createRedisCounter, type Count } from './redis-counter.ts';

const windowMs = 60_000;

/** Counts requests and enforces limits per minute. Addresses are grouped by network: see `networkOf`. */
export type Limits = {
  /**
   * Counts a request with a valid token by user. One phone may act as many guests, so requests from guests and customers are also
   * counted together by address, without affecting staff. Any other request is counted by address, in its endpoint's bucket.
   * Buckets are separate: a phone that fetches the menu too often does not prevent sign-ins. Adds the `RateLimit` headers [IETF
   * draft]. Requests are counted in this process only. This runs for every request, so it must be fast: no timer and no promise.
   * @throws 429 `rate_limited`
   */
  countRequest: (state: RequestState, endpoint: AnyEndpoint) => void;
  /** Counts a browser's preflight request by address. @throws 429 `rate_limited` */
  countPreflight: (state: RequestState) => void;
  /**
   * Counts a rejected request by user. Without a valid token, counts the request in the address's bucket for rejections, which
   * limits nothing else.
   * @throws 429 `rate_limited`
   */
  countRefusal: (state: RequestState) => void;
  /** Counts a handshake for the live feed by address. @throws 429 `rate_limited` */
  countHandshake: (client: Client) => void;
  /**
   * Counts a PIN or password check by user, for all gateways together. While Redis is down, each gateway counts on its own.
   * @throws 429 `rate_limited`
   */
  countStepUp: (state: RequestState, caller: Caller) => Promise<void>;
};
type Options = {
  perMinute: Record<'user' | 'staff' | 'address' | 'files' | 'refused' | 'addressUsers' | 'feed' | 'stepUp', number>;
  redis: RedisLink;
  logger: Logger;
  clock: Clock;
};

export function createLimits({ perMinute, redis, logger, clock }: Options): Limits {
  const countLocally = createLocalCounter({ windowMs, clock });
  const countInRedis = createRedisCounter({ redis, prefix: 'rate-limit:step-up:', windowMs, logger, clock });
  const checkUser = createQuota({ name: 'general', limit: perMinute.user, clock });
  // All screens in a kitchen may share one account.
  const checkStaff = createQuota({ name: 'general', limit: perMinute.staff, clock });
  const checkAddress = createQuota({ name: 'general', limit: perMinute.address, clock });
  const checkFiles = createQuota({ name: 'files', limit: perMinute.files, clock });
  const checkRefused = createQuota({ name: 'refused', limit: perMinute.refused, clock });
  // High enough for all of a restaurant's guests behind one address.
  const checkAddressUsers = createQuota({ name: 'address', limit: perMinute.addressUsers, clock });
  const checkFeed = createQuota({ name: 'feed', limit: perMinute.feed, clock });
  const checkStepUp = createQuota({ name: 'step-up', limit: perMinute.stepUp, clock });

  function count(
    state: RequestState,
    { bucket, checkOther }: { bucket: string; checkOther: typeof checkAddress },
  ): void {
    state.counted = true;
    const { caller, client, responseHeaders } = state;
    const network = networkOf(client.address);
    if (!caller) return checkOther(countLocally(`${bucket} ${network}`), responseHeaders);
    if (caller.role !== 'customer') return checkStaff(countLocally(caller.userId), responseHeaders);
    checkUser(countLocally(caller.userId), responseHeaders);
    checkAddressUsers(countLocally(`users ${network}`));
  }

  return {
    countRequest: (state, { method, path, limit }) =>
      count(state, { bucket: `${method} ${path}`, checkOther: limit === 'files' ? checkFiles : checkAddress }),
    countPreflight: (state) => count(state, { bucket: 'preflight', checkOther: checkAddress }),
    countRefusal: (state) => count(state, { bucket: 'refused', checkOther: checkRefused }),
    countHandshake: (client) => checkFeed(countLocally(`feed ${networkOf(client.address)}`)),
    countStepUp: async ({ responseHeaders }, { userId }) => {
      // Counted locally too, so that the limit continues from this count if Redis stops responding.
      const local = { ...countLocally(`step-up ${userId}`) };
      const shared = await countInRedis(`user:${userId}`);
      checkStepUp(shared && shared.count > local.count ? shared : local, responseHeaders);
    },
  };
}

type Quota = { name: string; limit: number; clock: Clock };

/** Creates a function that rejects requests over the limit and adds the number of remaining requests to `responseHeaders`. */
function createQuota({ name, limit, clock }: Quota): (count: Count, responseHeaders?: string[]) => void {
  const policy = `"${name}"; q=${limit}; w=${windowMs / 1000}`;
  return ({ count, endsAt }, responseHeaders) => {
    const seconds = Math.max(1, Math.ceil((endsAt - clock()) / 1000));
    const remaining = Math.max(0, limit - count);
    responseHeaders?.push('RateLimit-Policy', policy, 'RateLimit', `"${name}"; r=${remaining}; t=${seconds}`);
    if (count > limit) throw problem('rate_limited', {}, { 'Retry-After': String(seconds) });
  };
}
