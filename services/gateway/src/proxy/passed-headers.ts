import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Client } from '@comanda/shared/http/client-address';
import type { RequestContext } from '@comanda/shared/http/request-context';
import type { Passage, PassageResponse } from '../passage.ts';

/** What a client may tell a service. Everything else, whoever invented it, stays here. */
const passedOn = [
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

/** What the notifier says of itself stays here; the rest of its answer to a handshake goes to the client. */
export function cleanHandshake({ headers }: IncomingMessage): void {
  for (const name of ['server', 'via', 'x-powered-by']) delete headers[name];
  headers['x-content-type-options'] = 'nosniff';
}

/** What belongs to the service's own connection, or tells what it is made of. */
const keptBack = [
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
/** What only the gateway says. */
const ours = [
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
const notPassedOn: ReadonlySet<string> = new Set([...keptBack, ...ours]);

type ServiceAnswer = { readonly headers: IncomingHttpHeaders; readonly statusCode: number };

/**
 * Status and headers of a service's answer, as the client gets them, after the gateway's own.
 * @throws where the status is not one that may follow a request
 */
export function beginAnswer({ headers, statusCode }: ServiceAnswer, res: PassageResponse): void {
  if (statusCode < 200 || statusCode > 599) throw new Error(`the service answered with status ${statusCode}`);
  const { connection = 'keep-alive' } = headers;
  const named = connection === 'keep-alive' ? null : connection.toLowerCase().split(/\s*,\s*/);
  const said = [...res.locals.headers];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || notPassedOn.has(name) || named?.includes(name) || name.startsWith('access-control-'))
      continue;
    for (const each of Array.isArray(value) ? value : [value]) said.push(name, each);
  }
  // A list of pairs, which Node writes out as it stands; setting each by name costs more than passing the request on.
  res.writeHead(statusCode, said);
}
