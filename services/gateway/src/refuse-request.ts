import type { Logger } from '@comanda/shared/runtime/logger';
import type { Limits } from './limits/limits.ts';
import type { RequestState } from './request-state.ts';
import { sendFailure } from './send-failure.ts';

/** Answers a request with the problem of `error`. */
export type RefuseRequest = (state: RequestState, error: unknown) => void;

/**
 * A request that no limit has counted yet counts as a refusal now: who sends nothing but malformed requests or unknown
 * paths is limited as well. Only local routes that answer are never counted.
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
