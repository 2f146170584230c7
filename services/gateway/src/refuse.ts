import { asProblem, logFailure, sendProblem } from '@comanda/shared/http/problem-handler';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PassageResponse } from './passage.ts';

/** Answers what went wrong; where the answer has begun, breaks it off. The log gets the `cause`, if that is another. */
export type Refuse = (res: PassageResponse, error: unknown, cause?: unknown) => void;

export const createRefuse =
  (logger: Logger): Refuse =>
  (res, error, cause = error) => {
    const { observed, endpoint } = res.locals;
    const { requestId } = observed.context;
    const failure = asProblem(error, []);
    const about = cause === error || !endpoint ? logger : logger.child({ upstream: endpoint.service });
    logFailure(about, cause, { failure, requestId });
    setOwnHeaders(res);
    sendProblem(res, failure, requestId);
  };

/** Puts the gateway's own headers, once, on an answer that is not begun with all of them by `writeHead`. */
export function setOwnHeaders(res: PassageResponse): void {
  if (res.headersSent || res.hasHeader('X-Request-Id')) return;
  const { headers } = res.locals;
  for (let index = 0; index < headers.length; index += 2)
    res.appendHeader(headers[index] ?? '', headers[index + 1] ?? '');
}
