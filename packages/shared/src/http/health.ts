import type { Express } from 'express';
import { Gauge } from 'prom-client';
import type { Dependency } from '../runtime/dependency.ts';
import type { Metrics } from '../runtime/metrics.ts';

export type MetricsText = Pick<Metrics, 'contentType' | 'metrics'>;
type Dependencies = { dependencies: readonly Dependency[] };
type InnerHealth = Dependencies & { version: string; metrics: MetricsText };

/** Returns true if `path` is for a health check. Such requests contain no secrets. */
export const isHealthPath = (path: string): boolean => path === '/livez' || path === '/readyz';

/**
 * Adds `GET /livez`, `GET /readyz` (503 while a hard dependency is down) and `GET /metrics`. `/readyz` reports the version and
 * all dependencies with their warnings, so it must be on a port that clients can't reach.
 */
export function serveHealth(app: Express, options: InnerHealth): void {
  const { version } = options;
  servePublicHealth(app, options, (dependencies) => ({ version, ...describeDependencies(dependencies) }));
  serveMetrics(app, options.metrics);
}

/**
 * Adds `GET /livez` and `GET /readyz` to a port that clients can reach. `/readyz` does not show which dependencies are down,
 * because that would show attackers when rate limits don't work. There are no metrics, because they would reveal traffic and
 * failures, and rendering them costs more than most requests.
 */
export function servePublicHealth(app: Express, { dependencies }: Dependencies, describe: Describe = () => ({})): void {
  app.get('/livez', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', (_req, res) => {
    const ready = dependencies.every(({ need, isUp }) => need === 'soft' || isUp());
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unready', ...describe(dependencies) });
  });
}

type Describe = (dependencies: readonly Dependency[]) => object;
function describeDependencies(dependencies: readonly Dependency[]): object {
  const states = dependencies.map(({ name, isUp }) => [name, isUp() ? 'up' : 'down']);
  const warnings = dependencies.flatMap((dependency) => dependency.warnings?.() ?? []);
  return { dependencies: Object.fromEntries(states), ...(warnings.length > 0 && { warnings }) };
}

/** Adds a metric that shows whether each dependency is up, as in `/readyz`. */
export function watchDependencies(metrics: Metrics, dependencies: readonly Dependency[]): void {
  const gauge: Gauge<'dependency' | 'need'> = new Gauge({
    name: 'comanda_dependency_up',
    help: '1 while the dependency is up; without a hard one, the service is not ready',
    labelNames: ['dependency', 'need'],
    registers: [metrics],
    collect: () => {
      for (const { name, need, isUp } of dependencies) gauge.set({ dependency: name, need }, isUp() ? 1 : 0);
    },
  });
}

function serveMetrics(app: Express, metrics: MetricsText): void {
  app.get('/metrics', async (_req, res) => void res.type(metrics.contentType).send(await metrics.metrics()));
}
