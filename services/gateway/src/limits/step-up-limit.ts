import { rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import { problem } from '@comanda/shared/contracts/problems';
import type { RedisLink } from '@comanda/shared/redis/connection';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PassageResponse, Step } from '../passage.ts';
import { createRedisCounters } from './limit-store.ts';

const windowMs = 60_000;

/**
 * Counts PIN checks for step-up against their user in Redis, for all gateways together; open while Redis is away.
 * 429 `rate_limited` with `Retry-After`.
 */
export function createStepUpLimit(options: { perMinute: number; redis: RedisLink; logger: Logger }): Step {
  const { logger, redis, perMinute } = options;
  const warn = (error: unknown, message?: string): void => logger.warn({ err: error }, message ?? 'step-up limit');
  const limit = rateLimit({
    windowMs,
    limit: perMinute,
    identifier: 'step-up',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Its checks are for applications that take `req.ip` as it comes.
    validate: false,
    store: createRedisCounters({ redis, logger, prefix: 'rate-limit:step-up:', windowMs }),
    passOnStoreError: true,
    logger: { error: warn, warn },
    keyGenerator: (_req, res) => `user:${(res as PassageResponse).locals.caller?.userId}`,
    handler: () => {
      throw problem('rate_limited');
    },
  }) as RequestHandler as Step;
  return (req, res, next) => {
    if (res.locals.endpoint.limit !== 'step_up' || !res.locals.caller) return next();
    return limit(req, res, next);
  };
}
