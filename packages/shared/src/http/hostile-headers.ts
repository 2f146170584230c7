import type { IncomingMessage } from 'node:http';
import { problem } from '@comanda/contracts/problem';

const refuse = (detail: string) => problem('malformed_request', { detail });
const singleHeaders = [
  'authorization',
  'x-step-up-token',
  'idempotency-key',
  'content-type',
  'content-length',
  'if-match',
  'if-none-match',
  'host',
];
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
/**
 * The allowed `Connection` tokens. Clients that offer to switch to unencrypted HTTP/2 send `http2-settings`; the offer is
 * ignored.
 */
const connectionTokens = new Set(['close', 'keep-alive', 'te', 'upgrade', 'http2-settings']);
const hostForm = /^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/;

/**
 * Rejects headers that no honest client sends: a header that is sent twice although it must be unique, an invalid host [RFC 9112,
 * 3.2], and a `Connection` token that would make the next server drop a header.
 * @throws 400 `malformed_request`
 */
export function refuseHostileHeaders(req: IncomingMessage): void {
  // Node joins or drops duplicate headers, so only a request with duplicates has more raw headers than names. Checking that first
  // avoids `headersDistinct`, which is slow.
  if (req.rawHeaders.length / 2 !== Object.keys(req.headers).length) refuseDuplicates(req);
  const { host, connection } = req.headers;
  if (host === undefined ? req.httpVersion !== '1.0' : !hostForm.test(host))
    throw refuse('The Host header is missing or invalid.');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return;
  for (const token of connection.toLowerCase().split(','))
    if (!connectionTokens.has(token.trim())) throw refuse('The Connection header contains an unsupported token.');
}

/**
 * Rejects a body if the method allows none. Called only after the route was found, because for an unknown method, 405 is the more
 * useful response.
 * @throws 400 `malformed_request`
 */
export function refuseMisplacedBody(req: IncomingMessage): void {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = req.headers;
  if (bodiless.has(req.method ?? '') && (coding !== undefined || length !== '0'))
    throw refuse(`A ${req.method} request must not have a body.`);
}

function refuseDuplicates(req: IncomingMessage): void {
  for (const name of singleHeaders)
    if ((req.headersDistinct[name]?.length ?? 0) > 1) throw refuse(`The header ${name} must be sent only once.`);
}
