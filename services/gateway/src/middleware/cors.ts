import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { RequestState } from '../request-state.ts';

const exposedHeaders =
  'Database-Epoch, Date, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Step-Up-Token, traceparent';

/** Adds the CORS headers for the response. Returns `preflight` if the request is a preflight, which needs no other response. */
export type Cors = (state: RequestState) => 'preflight' | 'request';

/**
 * Allows pages from `origins` to call the API [Fetch, CORS]. Any other page gets no CORS headers, so its browser blocks the call.
 */
export function createCors(origins: readonly string[], endpoints: readonly AnyEndpoint[]): Cors {
  if (origins.length === 0) return () => 'request';
  const matchRoute = createRouteTable(endpoints);
  return ({ req, target, responseHeaders }) => {
    responseHeaders.push('Vary', 'Origin');
    const { origin } = req.headers;
    if (origin === undefined || !origins.includes(origin)) return 'request';
    responseHeaders.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders);
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return 'request';
    const route = matchRoute('OPTIONS', target);
    if (route.kind !== 'wrong_method') return 'request';
    responseHeaders.push('Access-Control-Allow-Methods', route.allow, 'Access-Control-Allow-Headers', allowedHeaders);
    responseHeaders.push('Access-Control-Max-Age', '600');
    return 'preflight';
  };
}
