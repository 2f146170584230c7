import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { checkBodyHeaders, hasBody } from '@comanda/shared/http/read-body';
import { parseStrictJson } from '@comanda/shared/http/strict-json';

/**
 * Checks the type and length of the body by its headers. A body without `Content-Length` is measured while it is read.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export function checkBody(req: IncomingMessage, endpoint: AnyEndpoint): void {
  if ((endpoint.body && !endpoint.mayOmitBody) || endpoint.upload || hasBody(req)) checkBodyHeaders(req, endpoint);
}

/** Returns true if the body matches the contract. If not, the service explains why. */
export function isAsInContract({ body: schema }: AnyEndpoint, body: Buffer | null): boolean {
  try {
    return body !== null && schema?.validate(parseStrictJson(body), { convert: false }).error === undefined;
  } catch {
    return false;
  }
}
