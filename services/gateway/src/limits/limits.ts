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

/** Addresses are counted by their network: see `networkOf`. Each limit is a number of requests per minute. */
export type Limits = {
  /**
   * Counts a request with a valid token for its user. One phone may be many guests, so those of guests and customers also
   * count together for their address, which refuses no staff. Any other request counts for its address in the bucket of its endpoint. Buckets do not share a limit: a phone that reads the menu too often stops nobody's
   * sign-in. Adds the `RateLimit` headers [IETF draft]. Counts in this process only: every request is counted, so this
   * needs neither a timer nor a promise.
   * @throws 429 `rate_limited`
   */
  countRequest: (state: RequestState, endpoint: AnyEndpoint) => void;
  /** Counts the question of a browser whether a page of another origin may call. @throws 429 `rate_limited` */
  countPreflight: (state: RequestState) => void;
  /**
   * Counts a request that is refused anyway: for its user or, without a valid token, in the address's bucket of refusals,
   * which refuses nothing else.
   * @throws 429 `rate_limited`
   */
  countRefusal: (state: RequestState) => void;
  /** Counts a handshake of the live feed for its address. @throws 429 `rate_limited` */
  countHandshake: (client: Client) => void;
  /**
   * Counts a check of a PIN or a password for the user, over all gateways. While Redis does not answer, each gateway
   * counts for itself.
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
  // All screens of a kitchen may share one account.
  const checkStaff = createQuota({ name: 'general', limit: perMinute.staff, clock });
  const checkAddress = createQuota({ name: 'general', limit: perMinute.address, clock });
  const checkFiles = createQuota({ name: 'files', limit: perMinute.files, clock });
  const checkRefused = createQuota({ name: 'refused', limit: perMinute.refused, clock });
  // So many that a whole restaurant behind one address is not refused.
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
      // Counted here as well, so that the limit goes on from this count if Redis falls silent.
      const local = { ...countLocally(`step-up ${userId}`) };
      const shared = await countInRedis(`user:${userId}`);
      checkStepUp(shared && shared.count > local.count ? shared : local, responseHeaders);
    },
  };
}

type Quota = { name: string; limit: number; clock: Clock };

/** Refuses a request over the limit, and adds to `responseHeaders` how many requests are left in this window. */
function createQuota({ name, limit, clock }: Quota): (count: Count, responseHeaders?: string[]) => void {
  const policy = `"${name}"; q=${limit}; w=${windowMs / 1000}`;
  return ({ count, endsAt }, responseHeaders) => {
    const seconds = Math.max(1, Math.ceil((endsAt - clock()) / 1000));
    const remaining = Math.max(0, limit - count);
    responseHeaders?.push('RateLimit-Policy', policy, 'RateLimit', `"${name}"; r=${remaining}; t=${seconds}`);
    if (count > limit) throw problem('rate_limited', {}, { 'Retry-After': String(seconds) });
  };
}
