import express from 'express';
import Joi from 'joi';
import { setting } from '../config/load-config.ts';
import { addBuildInfo, type Metrics } from '../runtime/metrics.ts';
import type { Dependency } from '../runtime/dependency.ts';
import { serveHealth, watchDependencies, type MetricsText } from './health.ts';
import { serve, type Listening } from './serve.ts';

/** Returns the settings for a service whose `PORT` clients can reach, so that its metrics need a port of their own. */
export const metricsSettings = (port: number) => ({
  metricsPort: setting(
    'METRICS_PORT',
    Joi.number().port().default(port),
    'Port of `/metrics` and of the `/readyz` that names what is down. 0 picks a free port. Clients must not reach it',
  ),
  metricsHost: setting('METRICS_HOST', Joi.string().default('127.0.0.1'), 'Address that `METRICS_PORT` listens on'),
  metricsAgeMs: setting(
    'METRICS_AGE_MS',
    Joi.number().integer().min(0).max(60_000).default(1000),
    'How long `/metrics` returns the same text before it is generated again',
  ),
});

type Options = {
  config: { metricsPort: number; metricsHost: string; metricsAgeMs: number };
  version: string;
  metrics: Metrics;
  dependencies: readonly Dependency[];
};

/** Serves health checks and metrics on a separate port, for a service whose main port clients can reach. */
export function serveMetricsPort({ config, version, metrics, dependencies }: Options): Promise<Listening> {
  const { metricsPort: port, metricsHost: host, metricsAgeMs } = config;
  addBuildInfo(metrics, version);
  watchDependencies(metrics, dependencies);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  serveHealth(app, {
    version,
    dependencies,
    metrics: cachedMetrics(metrics, { ageMs: metricsAgeMs, now: () => performance.now() }),
  });
  return serve(app, { port, host });
}

/** Caches the metrics for up to `ageMs` milliseconds, so that frequent requests cannot keep the process busy. */
export function cachedMetrics(metrics: MetricsText, { ageMs, now }: { ageMs: number; now: () => number }): MetricsText {
  let cached: { text: Promise<string>; until: number } | null = null;
  return {
    contentType: metrics.contentType,
    metrics: () => {
      if (!cached || now() >= cached.until) cached = { text: metrics.metrics(), until: now() + ageMs };
      return cached.text;
    },
  };
}
