import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { checkBodyHeaders, readBody } from './read-body.ts';
import { createSignatureCheck, signatureHeader, type VerifiedRequest } from './service-signature.ts';

/** A signed request from another service: the sender, the body, and a function that signs the response. */
export type ServiceCall = VerifiedRequest & { bytes: Buffer };
export type ServiceAuthentication = (req: IncomingMessage, contract: Contract) => Promise<ServiceCall | null>;
type Contract = Pick<AnyEndpoint, 'callers' | 'body' | 'maxBodyKilobytes'>;

const headerName = signatureHeader.toLowerCase();

/**
 * Returns a function that finds out which service signed a request. Its result is null for an unsigned request, which is allowed
 * only for an endpoint without `callers`. If a service signs a request to such an endpoint, for example for the key set, the
 * response is signed too. `callerSecrets` is the setting `CALLER_SECRETS`; without it, every request counts as unsigned.
 */
export function createServiceAuthentication(callerSecrets: string | undefined): ServiceAuthentication {
  const check = callerSecrets === undefined ? () => null : createSignatureCheck(callerSecrets);
  /**
   * Returns the service that signed the request; null if the request is not signed.
   * @throws 403 `caller_not_allowed`; 415 `unsupported_media_type`, 413 `body_too_large`
   */
  return async (req, contract) => {
    const { callers, body } = contract;
    const header = req.headers[headerName];
    if (!callers && (header === undefined || body)) return null;
    if (typeof header !== 'string') throw problem('caller_not_allowed');
    if (body) checkBodyHeaders(req, contract);
    const bytes = body ? await readBody(req, contract) : Buffer.alloc(0);
    const { method = '', url: target = '' } = req;
    const verified = check({ method, target, body: bytes, header });
    if (callers && !callers.some((name) => name === verified?.name)) throw problem('caller_not_allowed');
    return verified && { ...verified, bytes };
  };
}
