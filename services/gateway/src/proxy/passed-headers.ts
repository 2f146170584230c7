import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '@comanda/shared/http/client-address';
import type { RequestContext } from '@comanda/shared/http/request-context';
import type { Passage } from '../passage.ts';

/** What a client may tell a service. Everything else, whoever invented it, stays here. */
const passedOn = [
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'user-agent',
  'x-step-up-token',
] as const;

/** Leaves in the request what a service gets: the few headers that it may know of, and what the gateway found out itself. */
export function keepServiceHeaders(req: IncomingMessage, passage: Passage): void {
  const { caller, client, observed } = passage;
  const headers: Record<string, string | string[]> = {
    connection: 'keep-alive',
    'x-request-id': observed.context.requestId,
    traceparent: observed.context.traceparent,
    'x-forwarded-for': client.address,
    'x-forwarded-proto': client.secure ? 'https' : 'http',
  };
  for (const name of passedOn) {
    const value = req.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  // Verified just now; the service verifies it again.
  if (caller && req.headers.authorization !== undefined) headers['authorization'] = req.headers.authorization;
  req.headers = headers;
}

/** The headers of the handshake that the notifier gets. */
export function keepFeedHeaders(req: IncomingMessage, hop: { client: Client; context: RequestContext }): void {
  const headers: IncomingHttpHeaders = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'x-request-id': hop.context.requestId,
    traceparent: hop.context.traceparent,
    'x-forwarded-for': hop.client.address,
    'x-forwarded-proto': hop.client.secure ? 'https' : 'http',
  };
  for (const [name, value] of Object.entries(req.headers))
    if (name.startsWith('sec-websocket-') || name === 'origin' || name === 'user-agent') headers[name] = value;
  req.headers = headers;
}

/** What belongs to the service's own connection, or tells what it is made of. */
const keptBack = new Set([
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
]);

/** What the notifier says of itself stays here; the rest of its answer to a handshake goes to the client. */
export function cleanHandshake({ headers }: IncomingMessage): void {
  for (const name of ['server', 'via', 'x-powered-by']) delete headers[name];
  headers['x-content-type-options'] = 'nosniff';
}

/**
 * Status and headers of a service's answer, as the client gets them. What the gateway has said itself stands.
 * @throws where the status is not one that may follow a request
 */
export function beginAnswer({ headers, statusCode = 0 }: IncomingMessage, res: ServerResponse): void {
  if (statusCode < 200 || statusCode > 599) throw new Error(`the service answered with status ${statusCode}`);
  const { connection = 'keep-alive' } = headers;
  const named = connection === 'keep-alive' ? null : connection.toLowerCase().split(/\s*,\s*/);
  for (const name in headers) {
    if (keptBack.has(name) || named?.includes(name) || name.startsWith('access-control-') || res.hasHeader(name))
      continue;
    const value = headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
  res.writeHead(statusCode);
}
