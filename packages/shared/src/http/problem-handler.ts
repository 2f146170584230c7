import type { ServerResponse } from 'node:http';
import { problem, Problem, problemBody } from '../contracts/problems.ts';
import type { ProblemCode } from '../contracts/problems.ts';
import type { Logger } from '../runtime/logger.ts';

/** Tells a failure of a store from a bug: the problem to answer, or null. */
export type Translate = (error: unknown) => Problem | null;

/** What the caller is told of `error`: its own problem, a store's, or 500 and nothing else. */
export function asProblem(error: unknown, translate: readonly Translate[]): Problem {
  if (error instanceof Problem) return error;
  for (const each of translate) {
    const known = each(error);
    if (known) return known;
  }
  return problem('internal_error');
}

/** Codes that say that something here failed, and nothing else. */
const ours: ReadonlySet<ProblemCode> = new Set([
  'internal_error',
  'bad_gateway',
  'service_unavailable',
  'gateway_timeout',
]);

/** What the caller is told: of our own failures only whether a write may have happened. */
const told = (failure: Problem): Problem => {
  if (!ours.has(failure.code)) return failure;
  const { outcome } = failure.members;
  return problem(failure.code, outcome ? { outcome } : {}, failure.headers);
};

/** Answers problem+json; where headers are out already, breaks the connection, so that half an answer is not taken for one. */
export function sendProblem(res: ServerResponse, failure: Problem, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(problemBody(told(failure), requestId)));
  for (const name of ['ETag', 'Location', 'Link', 'Idempotent-Replayed']) res.removeHeader(name);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  if (failure.status === 401 && !res.hasHeader('WWW-Authenticate')) res.setHeader('WWW-Authenticate', 'Bearer');
  res.statusCode = failure.status;
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', body.length);
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** The whole error goes to the log when it is ours (5xx); the caller's own mistakes are in the request line. */
export function logFailure(logger: Logger, error: unknown, context: { failure: Problem; requestId: string }): void {
  const { failure, requestId } = context;
  if (failure.status >= 500) logger.error({ err: error, request_id: requestId, code: failure.code }, 'request failed');
}
