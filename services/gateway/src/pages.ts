import express from 'express';
import type { ErrorRequestHandler, Express } from 'express';
import { problem } from '@comanda/contracts/problems';
import { serveHealth } from '@comanda/shared/http/health';
import type { Dependency } from '@comanda/shared/http/health';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import type { Passage, PageStep } from './passage.ts';
import { setOwnHeaders } from './refuse.ts';
import type { Refuse } from './refuse.ts';

type Pages = {
  metrics: Metrics;
  dependencies: readonly Dependency[];
  /** Each serves its own paths and passes on the others. */
  files: readonly PageStep[];
  refuse: Refuse;
};

/** What the gateway serves itself: its health, documents and the web apps. None of it is counted by the limits. */
export function createPages({ metrics, dependencies, files, refuse }: Pages): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const begin: PageStep = (_req, res, next) => {
    setOwnHeaders(res);
    next();
  };
  app.use(begin);
  serveHealth(app, { metrics, dependencies });
  app.all(['/livez', '/readyz', '/metrics'], () => {
    throw problem('method_not_allowed', {}, { Allow: 'GET, HEAD' });
  });
  for (const serve of files) app.use(serve);
  const refuseUnknown: PageStep = (_req, res) => {
    throw res.locals.refusal ?? problem('not_found');
  };
  app.use(refuseUnknown);
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters
  const failed: ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, Passage> = (
    error,
    _req,
    res,
    _next,
  ) => refuse(res, error);
  app.use(failed);
  return app;
}
