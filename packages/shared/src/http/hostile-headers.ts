import type { IncomingMessage } from 'node:http';
import { problem } from '@comanda/contracts/problems';

const refuse = (detail: string) => problem('malformed_request', { detail });
const single = [
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
/** `http2-settings` comes with an offer of HTTP/2 over plain text, which is passed over. */
const connectionTokens = new Set(['close', 'keep-alive', 'te', 'upgrade', 'http2-settings']);
const hostForm = /^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/;

/**
 * Refuses what no honest client sends: a header twice that may stand once, a host that is none [RFC 9112, 3.2], and a
 * `Connection` token that would take a header away from whoever comes behind.
 * @throws 400 `malformed_request`
 */
export function refuseHostileHeaders(req: IncomingMessage): void {
  // Node joins or drops what stands twice: only then are there more raw headers than names, and only then is it dear.
  if (req.rawHeaders.length / 2 !== Object.keys(req.headers).length) refuseTwice(req);
  const { host, connection } = req.headers;
  if (host === undefined ? req.httpVersion !== '1.0' : !hostForm.test(host))
    throw refuse('The Host is missing or none.');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return;
  for (const token of connection.toLowerCase().split(','))
    if (!connectionTokens.has(token.trim())) throw refuse('The Connection header has an unknown token.');
}

/**
 * Refuses a body where none belongs. To be asked once it is known that there is such a call: else the method is wrong
 * first of all, and that is 405.
 * @throws 400 `malformed_request`
 */
export function refuseMisplacedBody(req: IncomingMessage): void {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = req.headers;
  if (bodiless.has(req.method ?? '') && (coding !== undefined || length !== '0'))
    throw refuse(`A ${req.method} request has no body.`);
}

function refuseTwice(req: IncomingMessage): void {
  for (const name of single)
    if ((req.headersDistinct[name]?.length ?? 0) > 1) throw refuse(`The header ${name} stands twice.`);
}
