import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Options } from 'express-rate-limit';
import { problem } from '@comanda/shared/contracts/problems';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PassageResponse, Step } from '../passage.ts';
import { createRedisCounters } from './limit-store.ts';
import type { RedisLink } from '@comanda/shared/redis/connection';

const windowMs = 60_000;
const common = {
  windowMs,
  standardHeaders: 'draft-8',
  legacyHeaders: false,
  // Its checks are for applications that take `req.ip` as it comes.
  validate: false,
  handler: () => {
    throw problem('rate_limited');
  },
} as const satisfies Partial<Options>;
const userKey = (res: PassageResponse): string | null =>
  res.locals.caller ? `user:${res.locals.caller.userId}` : null;

/**
 * Counts each request against its user, or against its address (IPv6: the /56) where no valid token came, in this
 * process. 429 `rate_limited` with `Retry-After`; `RateLimit` headers on every answer.
 */
export const createGeneralLimit = ({ user, address }: { user: number; address: number }): Step =>
  rateLimit({
    ...common,
    identifier: 'general',
    limit: (_req, res) => ((res as PassageResponse).locals.caller ? user : address),
    keyGenerator: (_req, res) => {
      const { locals } = res as PassageResponse;
      return userKey(res as PassageResponse) ?? `address:${ipKeyGenerator(locals.client.address)}`;
    },
  }) as unknown as Step;

/** Counts PIN checks for step-up against their user in Redis, for all gateways together; open while Redis is away. */
export const createStepUpLimit = (options: { perMinute: number; redis: RedisLink; logger: Logger }): Step =>
  rateLimit({
    ...common,
    identifier: 'step-up',
    limit: options.perMinute,
    store: createRedisCounters({ ...options, prefix: 'rate-limit:step-up:', windowMs }),
    passOnStoreError: true,
    logger: {
      error: (error, message) => options.logger.warn({ err: error }, message ?? 'rate limit store'),
      warn: (error, message) => options.logger.warn({ err: error }, message ?? 'rate limit store'),
    },
    skip: (_req, res) =>
      (res as PassageResponse).locals.endpoint.limit !== 'step_up' || !userKey(res as PassageResponse),
    keyGenerator: (_req, res) => userKey(res as PassageResponse) ?? '',
  }) as unknown as Step;
