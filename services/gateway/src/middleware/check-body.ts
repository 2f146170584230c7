import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { checkBodyHeaders } from '@comanda/shared/http/read-body';

/**
 * Checks the body's type and length by its headers. A body without `Content-Length` is counted while it is sent on.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export function checkBody(req: IncomingMessage, endpoint: AnyEndpoint): void {
  const { 'transfer-encoding': transferEncoding, 'content-length': length = '0' } = req.headers;
  if (endpoint.body || transferEncoding !== undefined || length !== '0') checkBodyHeaders(req);
}
