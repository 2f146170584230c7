import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { checkBodyHeaders } from '@comanda/shared/http/read-body';

/**
 * What the headers alone say of a body; one that does not say its length is counted as it passes.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export function checkBody(req: IncomingMessage, endpoint: AnyEndpoint): void {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = req.headers;
  if (endpoint.body || coding !== undefined || length !== '0') checkBodyHeaders(req);
}
