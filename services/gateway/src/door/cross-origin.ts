import type { IncomingMessage } from 'node:http';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { AnyEndpoint } from '@comanda/shared/contracts/endpoint';
import type { Step } from '../passage.ts';

const exposed =
  'ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
const accepted =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Step-Up-Token, traceparent';

/** Consent for pages of the named origins to call [Fetch, CORS]; for nobody else, so that browsers refuse them. */
export function createCrossOrigin(origins: readonly string[], endpoints: readonly AnyEndpoint[]): Step {
  if (origins.length === 0) return (_req, _res, next) => next();
  const match = createRouteTable(endpoints);
  return (req, res, next) => {
    res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined || !origins.includes(origin)) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Access-Control-Expose-Headers', exposed);
    const found = match(req.method, req.url);
    const preflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (!preflight || found.found !== 'path') return next();
    res.setHeader('Access-Control-Allow-Methods', found.allow);
    res.setHeader('Access-Control-Allow-Headers', accepted);
    res.setHeader('Access-Control-Max-Age', '600');
    res.status(204).end();
  };
}

/** Whether a page may open the live feed: one of this origin, or of a named one; programs send no `Origin`. */
export const isOriginWelcome = (req: IncomingMessage, origins: readonly string[]): boolean => {
  const { origin, host } = req.headers;
  return (
    origin === undefined || origin === `http://${host}` || origin === `https://${host}` || origins.includes(origin)
  );
};
