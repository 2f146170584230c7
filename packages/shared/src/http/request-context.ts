import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { newSpanId, newTraceId, readTraceparent, toTraceparent } from '../tracing/trace-context.ts';
import type { Span, Tracer } from '../tracing/tracer.ts';

/**
 * The ids that connect the log lines, the response and the events of one request. `traceparent` is what is sent on: it names
 * the span of this request if that is recorded.
 */
export type RequestContext = { requestId: string; traceparent: string; traceId: string };
/** Whose requests come. `services`: they pass on a trace. `anybody`: a new trace begins here, whatever a request says. */
export type Senders = 'services' | 'anybody';

const requestIdForm = /^[A-Za-z0-9-]{8,64}$/;

/** The `X-Request-Id` of the request if it is valid, or a new one. */
export function readRequestId(req: IncomingMessage): string {
  const { 'x-request-id': sent } = req.headers;
  return typeof sent === 'string' && requestIdForm.test(sent) ? sent : randomUUID();
}

/**
 * The ids of a request, and its span if its trace is recorded. The trace of a `traceparent` [W3C Trace Context] is continued
 * if it comes from a service. Otherwise anybody could have traces recorded, and add to those of others: it is only linked.
 */
export function beginRequest(
  req: IncomingMessage,
  { tracer, senders }: { tracer: Tracer; senders: Senders },
): { context: RequestContext; span: Span | null } {
  const requestId = readRequestId(req);
  const sent = readTraceparent(req.headers['traceparent']);
  if (sent && senders === 'services') {
    const received = toTraceparent(sent);
    const span = tracer.startSpan(received, { kind: 'server' });
    return { context: { requestId, traceparent: span?.traceparent ?? received, traceId: sent.traceId }, span };
  }
  const traceId = newTraceId();
  const span = tracer.startTrace(traceId, { kind: 'server', link: sent });
  const traceparent = span?.traceparent ?? toTraceparent({ traceId, spanId: newSpanId(), sampled: false });
  return { context: { requestId, traceparent, traceId }, span };
}
