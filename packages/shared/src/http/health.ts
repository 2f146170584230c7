import type { Express } from 'express';
import type { Metrics } from '../runtime/metrics.ts';

/** A server that this service needs. Without a `hard` dependency the service is not ready; a `soft` one is only reported. */
export type Dependency = {
  name: string;
  need: 'hard' | 'soft';
  isUp: () => boolean;
  /** What is wrong with the settings of that server, in sentences. */
  warnings?: () => readonly string[];
};
type Options = { dependencies: readonly Dependency[]; metrics: Metrics };

/**
 * Adds `GET /livez`, `GET /readyz` (503 while a hard dependency is down) and `GET /metrics`. `/readyz` lists all
 * dependencies and their warnings, so it is for a port that clients do not reach.
 */
export function serveHealth(app: Express, { dependencies, metrics }: Options): void {
  serveReadiness(app, { dependencies, describe: describeDependencies });
  serveLiveness(app, metrics);
}

/** The same for a public port: `/readyz` does not say what is down, because limits depend on it. */
export function servePublicHealth(app: Express, { dependencies, metrics }: Options): void {
  serveReadiness(app, { dependencies, describe: () => ({}) });
  serveLiveness(app, metrics);
}

type Describe = (dependencies: readonly Dependency[]) => object;
function serveReadiness(
  app: Express,
  { dependencies, describe }: { dependencies: readonly Dependency[]; describe: Describe },
): void {
  app.get('/readyz', (_req, res) => {
    const ready = dependencies.every(({ need, isUp }) => need === 'soft' || isUp());
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unready', ...describe(dependencies) });
  });
}

function describeDependencies(dependencies: readonly Dependency[]): object {
  const states = dependencies.map(({ name, isUp }) => [name, isUp() ? 'up' : 'down']);
  const warnings = dependencies.flatMap((dependency) => dependency.warnings?.() ?? []);
  return { dependencies: Object.fromEntries(states), ...(warnings.length > 0 && { warnings }) };
}

function serveLiveness(app: Express, metrics: Metrics): void {
  app.get('/livez', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/metrics', async (_req, res) => void res.type(metrics.contentType).send(await metrics.metrics()));
}
