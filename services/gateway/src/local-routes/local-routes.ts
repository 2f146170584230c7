import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { problem, type Problem } from '@comanda/contracts/problem';
import { servePublicHealth } from '@comanda/shared/http/health';
import type { Dependency } from '@comanda/shared/runtime/dependency';
import type { RefuseRequest } from '../refuse-request.ts';
import { stateOf, type RequestState } from '../request-state.ts';
import { setGatewayHeaders } from '../response-headers.ts';

/** The state of a request, with the request and response as Express extends them. */
export type LocalCall = { state: RequestState; req: Request; res: Response };
/**
 * Handles requests for the route's own paths. Returns true if it has handled the request, or a promise if the response takes
 * longer; otherwise false.
 */
export type LocalRoute = (call: LocalCall) => boolean | Promise<void>;

type Options = {
  dependencies: readonly Dependency[];
  /** The routes, in the order in which they are tried. */
  routes: readonly LocalRoute[];
  refuse: RefuseRequest;
};

/** Serves the gateway's own pages and files. No rate limit applies to these, only to rejected requests. */
export function createLocalRoutes({ dependencies, routes, refuse }: Options): (state: RequestState) => void {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');

  servePublicHealth(app, { dependencies });
  app.all(['/livez', '/readyz'], () => {
    throw problem('method_not_allowed', {}, { Allow: 'GET, HEAD' });
  });
  for (const route of routes)
    app.use((req, res, next) => {
      const served = route({ state: stateOf(req), req, res });
      if (served === false) next();
      // Express passes the error from a rejected promise on to the error handler.
      return served;
    });
  app.use((req) => {
    throw unservedProblem(stateOf(req));
  });
  // oxlint-disable-next-line max-params -- Express recognises an error handler by its four parameters
  const onError: ErrorRequestHandler = (error: unknown, req, _res, _next) => refuse(stateOf(req), error);
  app.use(onError);

  return (state) => {
    setGatewayHeaders(state);
    app(state.req, state.res);
  };
}

const unservedProblem = ({ route }: RequestState): Problem =>
  route.kind === 'wrong_method' ? problem('method_not_allowed', {}, { Allow: route.allow }) : problem('not_found');
