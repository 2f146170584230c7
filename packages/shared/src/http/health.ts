import type { Express } from 'express';
import type { Metrics } from '../runtime/metrics.ts';

/** A server that this service needs. Without a `hard` dependency the service is not ready; a `soft` one is only reported. */
export type Dependency = { name: string; need: 'hard' | 'soft'; isUp: () => boolean };

/** Adds `GET /livez`, `GET /readyz` (503 while a hard dependency is down; it lists all of them) and `GET /metrics`. */
export function serveHealth(
  app: Express,
  { dependencies, metrics }: { dependencies: readonly Dependency[]; metrics: Metrics },
): void {
  app.get('/livez', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', (_req, res) => {
    const states = dependencies.map(({ name, need, isUp }) => ({ name, need, up: isUp() }));
    const ready = states.every(({ need, up }) => up || need === 'soft');
    const dependenciesByName = Object.fromEntries(states.map(({ name, up }) => [name, up ? 'up' : 'down']));
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unready', dependencies: dependenciesByName });
  });
  app.get('/metrics', async (_req, res) => void res.type(metrics.contentType).send(await metrics.metrics()));
}
