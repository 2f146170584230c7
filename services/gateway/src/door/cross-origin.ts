import type { IncomingMessage } from 'node:http';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import type { Passage } from '../passage.ts';

const exposed =
  'ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
const accepted =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Step-Up-Token, traceparent';

/** Adds the headers of consent; a `preflight` is answered with nothing else. */
export type CrossOrigin = (req: IncomingMessage, passage: Passage) => 'preflight' | 'call';

/** Consent for pages of the named origins to call [Fetch, CORS]; for nobody else, so that browsers refuse them. */
export function createCrossOrigin(origins: readonly string[], endpoints: readonly AnyEndpoint[]): CrossOrigin {
  if (origins.length === 0) return () => 'call';
  const match = createRouteTable(endpoints);
  return (req, { headers }) => {
    headers.push('Vary', 'Origin');
    const { origin } = req.headers;
    if (origin === undefined || !origins.includes(origin)) return 'call';
    headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed);
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return 'call';
    const found = match('OPTIONS', req.url ?? '');
    if (found.kind !== 'wrong_method') return 'call';
    headers.push('Access-Control-Allow-Methods', found.allow, 'Access-Control-Allow-Headers', accepted);
    headers.push('Access-Control-Max-Age', '600');
    return 'preflight';
  };
}

/** Whether a page may open the live feed: one of this origin, or of a named one; programs send no `Origin`. */
export const isOriginWelcome = (req: IncomingMessage, origins: readonly string[]): boolean => {
  const { origin, host } = req.headers;
  return (
    origin === undefined || origin === `http://${host}` || origin === `https://${host}` || origins.includes(origin)
  );
};
