import { asProblem, logFailure, sendProblem } from '@comanda/shared/http/problem-handler';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { RequestState } from './request-state.ts';
import { setGatewayHeaders } from './response-headers.ts';

type Failure = {
  error: unknown;
  /** The error to log, if it differs from `error`. */
  cause?: unknown;
  logger: Logger;
};

/** Sends `error` as problem+json, or breaks off the connection if the response has already started. */
export function sendFailure(state: RequestState, { error, cause = error, logger }: Failure): void {
  const { context } = state.observed;
  const failure = asProblem(error, []);
  logFailure(logger, cause, { failure, context });
  setGatewayHeaders(state);
  sendProblem(state.res, failure, context.requestId);
}
