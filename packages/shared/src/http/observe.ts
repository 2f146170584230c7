import type { IncomingMessage, ServerResponse } from 'node:http';
import { Histogram } from 'prom-client';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { readContext } from './request-context.ts';
import type { RequestContext } from './request-context.ts';

/** What the log line and the metric of one request say; `route` and `userId` are set as they become known. */
export type Observed = { readonly context: RequestContext; route: string; userId: number | undefined };

/**
 * Gives every request its context; at the end one log line, without query or headers, and one measurement by route
 * and status.
 */
export function createObserver(options: {
  logger: Logger;
  metrics: Metrics;
}): (req: IncomingMessage, res: ServerResponse) => Observed {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first header to the end of the answer',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [options.metrics],
  });
  // By route and status, each looked up by its labels once.
  const series = new Map<string, { observe: (seconds: number) => void }>();
  const measure = (seconds: number, { route, status }: { route: string; status: number }): void => {
    const key = `${status} ${route}`;
    const known = series.get(key) ?? durations.labels({ route, status });
    series.set(key, known);
    known.observe(seconds);
  };
  // The line has only what stands below; looking for secrets in it would be half of its cost.
  const logger = options.logger.child({}, { redact: [] });
  return (req, res) => {
    const begun = performance.now();
    const context = readContext(req);
    const observed: Observed = { context, route: 'none', userId: undefined };
    res.once('close', () => {
      const ms = performance.now() - begun;
      const { route, userId } = observed;
      const status = res.statusCode;
      measure(ms / 1000, { route, status });
      if (!logger.isLevelEnabled('info')) return;
      const ids = { request_id: context.requestId, trace_id: context.traceId };
      const outcome = { route, status, ms: Math.round(ms * 100) / 100, user_id: userId };
      logger.info({ ...ids, ...outcome, aborted: !res.writableFinished }, 'request');
    });
    return observed;
  };
}
