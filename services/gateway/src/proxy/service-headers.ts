import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '@comanda/shared/http/client-address';
import type { RequestContext } from '@comanda/shared/http/request-context';
import type { RequestState } from '../request-state.ts';

/** The client's headers that services get; all others are dropped. */
const forwardedHeaders = [
  'accept',
  'accept-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'user-agent',
  'x-step-up-token',
] as const;

/** Returns the cookies by which auth-stepup recognizes a device. Other cookies never reach a service. */
const readDeviceCookies = (cookies = ''): string =>
  cookies
    .split(/;\s*/)
    .filter((cookie) => cookie.startsWith('comanda-device-'))
    .join('; ');

/**
 * Returns the headers for a service: the client's allowed headers, and what the gateway has verified itself. `traceparent`
 * contains this call's span.
 */
export function serviceHeaders(
  { req, observed, client, caller }: RequestState,
  traceparent: string,
): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {
    connection: 'keep-alive',
    'x-request-id': observed.context.requestId,
    traceparent,
    'x-forwarded-for': client.address,
    'x-forwarded-proto': client.secure ? 'https' : 'http',
  };
  for (const name of forwardedHeaders) {
    const value = req.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const deviceCookies = readDeviceCookies(req.headers.cookie);
  if (deviceCookies !== '') headers['cookie'] = deviceCookies;
  // Only a verified token is passed on. The service still verifies the token itself.
  if (caller && req.headers.authorization !== undefined) headers['authorization'] = req.headers.authorization;
  return headers;
}

type Handshake = { headers: IncomingHttpHeaders; client: Client; context: RequestContext };

/** Returns the headers of a WebSocket handshake for the notifier, which checks `origin` against `x-forwarded-host` again. */
export function handshakeHeaders({ headers, client, context }: Handshake): IncomingHttpHeaders {
  const sent: IncomingHttpHeaders = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'x-request-id': context.requestId,
    traceparent: context.traceparent,
    'x-forwarded-for': client.address,
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': client.secure ? 'https' : 'http',
  };
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith('sec-websocket-') || name === 'origin' || name === 'user-agent') sent[name] = value;
  return sent;
}

/** Response headers that clients do not get: they concern the service's own connection, or reveal its software. */
const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-powered-by',
];
/** Headers that only the gateway may set. */
const gatewayHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'ratelimit',
  'ratelimit-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-request-id',
  'x-xss-protection',
];
const removedHeaders: ReadonlySet<string> = new Set([...connectionHeaders, ...gatewayHeaders]);

/** Returns the headers for the client, as alternating names and values: first the gateway's own, then the service's. */
export function responseHeaders(state: RequestState, headers: IncomingHttpHeaders): string[] {
  const { connection = 'keep-alive' } = headers;
  // Headers named in the service's Connection header are meant for its own connection [RFC 9110, 7.6.1].
  const connectionOptions = connection === 'keep-alive' ? null : connection.toLowerCase().split(/\s*,\s*/);
  // A list, because Node writes lists unchanged: setting each header by name would cost more than passing the request on.
  const list = [...state.responseHeaders];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || removedHeaders.has(name) || name.startsWith('access-control-')) continue;
    if (connectionOptions?.includes(name)) continue;
    for (const each of Array.isArray(value) ? value : [value]) list.push(name, each);
  }
  return list;
}

/** Removes the headers that the client must not get from the notifier's response to a handshake. */
export function cleanHandshakeResponse(headers: IncomingHttpHeaders): void {
  for (const name of ['server', 'via', 'x-powered-by']) delete headers[name];
  headers['x-content-type-options'] = 'nosniff';
}
