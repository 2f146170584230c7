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

const hopByHop = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'trailer', 'upgrade'];
const telltale = ['server', 'x-powered-by', 'via'];

/** Takes out of a service's answer what belongs to its own connection, and what the gateway has already said. */
export function cleanAnswer(answer: IncomingMessage, res: ServerResponse): void {
  const { headers } = answer;
  const named = (headers.connection ?? '').split(',').map((token) => token.trim().toLowerCase());
  for (const name of [...named, ...hopByHop, ...telltale]) delete headers[name];
  for (const name of Object.keys(headers))
    if (res.hasHeader(name) || name.startsWith('access-control-')) delete headers[name];
}
