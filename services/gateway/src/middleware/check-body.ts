import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { checkBodyHeaders } from '@comanda/shared/http/read-body';
import { parseStrictJson } from '@comanda/shared/http/strict-json';

/** Whether a body follows the headers [RFC 9112, 6]. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Checks the body's type and length by its headers. A body without `Content-Length` is counted while it is read.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export function checkBody(req: IncomingMessage, endpoint: AnyEndpoint): void {
  if (endpoint.body || endpoint.upload || hasBody(req)) checkBodyHeaders(req, endpoint);
}

/** Whether the body is what the contract says. If not, the service says why. */
export function isAsInContract({ body: schema }: AnyEndpoint, body: Buffer | null): boolean {
  try {
    return body !== null && schema?.validate(parseStrictJson(body), { convert: false }).error === undefined;
  } catch {
    return false;
  }
}
