import type { ErrorRequestHandler } from 'express';
import { asProblem, logFailure, sendProblem } from '@comanda/shared/http/problem-handler';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Passage } from '../passage.ts';

type FailureHandler = ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, Passage>;

/** Answers what a step threw. */
export const createFailureHandler = (logger: Logger): FailureHandler => {
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters
  return (error: unknown, _req, res, _next) => {
    const { requestId } = res.locals.observed.context;
    const failure = asProblem(error, []);
    logFailure(logger, error, { failure, requestId });
    sendProblem(res, failure, requestId);
  };
};
