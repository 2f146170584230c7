import { Histogram } from 'prom-client';
import type { Metrics } from '../runtime/metrics.ts';

export type Series = { route: string; status: number };
type Measure = (seconds: number, of: Series) => void;

/**
 * Returns a function that records a request's duration by route and status. The series in `fromStart` exist from the start with a
 * count of 0, so that even their first request shows as an increase.
 */
export function createHttpMetrics(registry: Metrics, fromStart: readonly Series[] = []): Measure {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request headers to the end of the response',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  for (const each of fromStart) durations.zero(each);
  // A cache of the histogram's series, because looking one up with `labels()` is slow.
  const series = new Map<string, { observe: (seconds: number) => void }>();
  return (seconds, { route, status }) => {
    const key = `${status} ${route}`;
    const histogram = series.get(key) ?? durations.labels({ route, status });
    series.set(key, histogram);
    histogram.observe(seconds);
  };
}
