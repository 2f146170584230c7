import type { ServerResponse } from 'node:http';
import { problem, Problem, problemBody, unavailable } from '@comanda/contracts/problem';
import { QueueFull } from '../runtime/batcher.ts';
import type { Logger } from '../runtime/logger.ts';
import type { RequestContext } from './request-context.ts';

const queueFull = 'Too many requests are waiting. Repeat the request in a second.';

/** Translates an error from a store into a problem; returns null if the error is not from that store. */
export type Translate = (error: unknown) => Problem | null;

/** Returns the problem for `error`. An untranslated error becomes a 500 without details. */
export function asProblem(error: unknown, translate: readonly Translate[]): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof QueueFull) return unavailable({ detail: queueFull });
  for (const each of translate) {
    const failure = each(error);
    if (failure) return failure;
  }
  return problem('internal_error');
}

/**
 * Responds with problem+json. If the headers were already sent, destroys the connection, so that the client does not mistake an
 * incomplete response for a complete one.
 */
export function sendProblem(res: ServerResponse, failure: Problem, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(problemBody(failure, requestId)));
  for (const name of ['ETag', 'Location', 'Link', 'Idempotent-Replayed']) res.removeHeader(name);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  res.statusCode = failure.status;
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', body.length);
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/** Logs the complete error if the response is 5xx. An error that the client caused appears only in the request's log line. */
export function logFailure(
  logger: Logger,
  error: unknown,
  { failure, context }: { failure: Problem; context: RequestContext },
): void {
  const { requestId: request_id, traceId: trace_id } = context;
  if (failure.status >= 500) logger.error({ err: error, request_id, trace_id, code: failure.code }, 'request failed');
}
