import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { networkOf } from './client-address.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { readContext, type RequestContext } from './request-context.ts';

/** What is logged and measured about one request. The caller sets the other fields as soon as it knows them. */
export type Observed = {
  readonly context: RequestContext;
  route: string;
  userId: number | undefined;
  /** The IP address of the client. */
  address: string;
};

/**
 * Returns a function that gives a request its context. When the response ends, it writes one log line, without query and
 * headers, and measures the duration by route and status. The line of a refusal (4xx) has the network that limits count.
 */
export function createObserver(options: {
  logger: Logger;
  metrics: Metrics;
}): (req: IncomingMessage, res: ServerResponse) => Observed {
  const measure = createHttpMetrics(options.metrics);
  // The line has only the fields below, none of them secret. Redaction would take half of its time.
  const logger = options.logger.child({}, { redact: [] });
  return (req, res) => {
    const startedAt = performance.now();
    const context = readContext(req);
    const observed: Observed = { context, route: 'none', userId: undefined, address: '' };
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const { route, userId, address } = observed;
      const status = res.statusCode;
      measure(ms / 1000, { route, status });
      if (!logger.isLevelEnabled('info')) return;
      const ids = { request_id: context.requestId, trace_id: context.traceId };
      const from = status >= 400 && status < 500 ? { network: networkOf(address) } : {};
      const outcome = { route, status, ms: Math.round(ms * 100) / 100, user_id: userId };
      logger.info({ ...ids, ...outcome, ...from, aborted: !res.writableFinished }, 'request');
    });
    return observed;
  };
}
