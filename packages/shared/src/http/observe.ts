import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Span, Tracer } from '../tracing/tracer.ts';
import { networkOf } from './client-address.ts';
import { createHttpMetrics, type Series } from './http-metrics.ts';
import { beginRequest, type RequestContext, type Senders } from './request-context.ts';

/**
 * The facts about one request that are logged, measured and recorded in its span. The observer sets the context. The request's
 * handler sets the other fields as soon as they are known.
 */
export type Observed = {
  readonly context: RequestContext;
  /** The endpoint's method and path, as in the contract. */
  route: string;
  userId: number | undefined;
  /** The order that the request is about: the order in its path, or the order that it has placed. */
  orderId: number | undefined;
  /** The client's IP address. */
  address: string;
};

const noRoute = 'none';

/** Returns the order id in a path such as `/orders/1042/history`; undefined if the path has none. */
export function orderIn(path: string | undefined): number | undefined {
  const [, id] = /^\/orders\/(\d{1,15})(?:\/|$)/.exec(path ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

/**
 * Returns a function that gives a request its ids. When the response ends, the function writes one log line, without the query
 * and the headers, records the duration by route and status, and ends the span. For a rejected request (4xx), the log line also
 * contains the network that rate limits count.
 */
export function createObserver(options: {
  logger: Logger;
  metrics: Metrics;
  tracer: Tracer;
  senders: Senders;
  /** Series that exist with a count of 0 even before their first request. */
  fromStart?: readonly Series[];
}): (req: IncomingMessage, res: ServerResponse) => Observed {
  const measure = createHttpMetrics(options.metrics, options.fromStart);
  // Turns redaction off: the log line contains only the fields below, which are never secret, and redaction would take half of
  // the time.
  const logger = options.logger.child({}, { redact: [] });
  return (req, res) => {
    const startedAt = performance.now();
    const { context, span } = beginRequest(req, options);
    const observed: Observed = { context, route: noRoute, userId: undefined, orderId: undefined, address: '' };
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const { route, userId, orderId, address } = observed;
      const status = res.statusCode;
      measure(ms / 1000, { route, status });
      if (span) endSpan(span, { route, req, res });
      if (!logger.isLevelEnabled('info')) return;
      const ids = { request_id: context.requestId, trace_id: context.traceId };
      const from = status >= 400 && status < 500 ? { network: networkOf(address) } : {};
      const outcome = { route, status, ms: Math.round(ms * 100) / 100, user_id: userId, order_id: orderId };
      logger.info({ ...ids, ...outcome, ...from, aborted: !res.writableFinished }, 'request');
    });
    return observed;
  };
}

/** Ends a request's span. Requests that match no endpoint are not recorded, because scanners would fill the trace storage. */
function endSpan(span: Span, { route, req, res }: { route: string; req: IncomingMessage; res: ServerResponse }): void {
  if (route === noRoute) return;
  const status = res.headersSent ? res.statusCode : undefined;
  const isFailure = status === undefined || status >= 500;
  span.end({
    name: route,
    attributes: {
      'http.request.method': req.method,
      'http.route': route.slice(route.indexOf(' ') + 1),
      'url.scheme': 'encrypted' in req.socket ? 'https' : 'http',
      'http.response.status_code': status,
    },
    ...(isFailure && { error: status === undefined ? 'aborted' : String(status) }),
  });
}
