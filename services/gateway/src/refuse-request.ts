import type { Logger } from '@comanda/shared/runtime/logger';
import type { Limits } from './limits/limits.ts';
import type { RequestState } from './request-state.ts';
import { sendFailure } from './send-failure.ts';

export type RefuseRequest = (state: RequestState, error: unknown) => void;

/**
 * Creates a function that rejects requests. A request that no limit has counted yet counts as a rejection, so that malformed
 * requests and unknown paths are limited too. Only successful local routes are never counted.
 */
export const createRefuseRequest =
  ({ limits, logger }: { limits: Limits; logger: Logger }): RefuseRequest =>
  (state, error) =>
    sendFailure(state, { error: limitReached(limits, state) ?? error, logger });

function limitReached(limits: Limits, state: RequestState): unknown {
  if (state.counted) return null;
  try {
    limits.countRefusal(state);
    return null;
  } catch (error) {
    return error;
  }
}
