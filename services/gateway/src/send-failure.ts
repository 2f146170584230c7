import { asProblem, logFailure, sendProblem } from '@comanda/shared/http/problem-handler';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { RequestState } from './request-state.ts';
import { setGatewayHeaders } from './response-headers.ts';

type Failure = {
  error: unknown;
  /** What the log gets instead of `error`. */
  cause?: unknown;
  logger: Logger;
};

/** Answers problem+json for `error`. If the response has begun, breaks the connection instead. */
export function sendFailure(state: RequestState, { error, cause = error, logger }: Failure): void {
  const { context } = state.observed;
  const failure = asProblem(error, []);
  logFailure(logger, cause, { failure, context });
  setGatewayHeaders(state);
  sendProblem(state.res, failure, context.requestId);
}
