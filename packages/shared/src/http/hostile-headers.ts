import type { IncomingMessage } from 'node:http';
import { problem } from '../contracts/problems.ts';

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

/**
 * Refuses what no honest client sends: a header twice that may stand once, a body where none belongs.
 * @throws 400 `malformed_request`
 */
export function refuseHostileHeaders(req: IncomingMessage): void {
  for (const name of single)
    if ((req.headersDistinct[name]?.length ?? 0) > 1) throw refuse(`The header ${name} stands twice.`);
  const { 'transfer-encoding': coding, 'content-length': length } = req.headers;
  if (bodiless.has(req.method ?? '') && (coding !== undefined || (length !== undefined && length !== '0')))
    throw refuse(`A ${req.method} request has no body.`);
}
