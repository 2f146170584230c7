import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '@comanda/shared/contracts/endpoint';
import { problem, Problem } from '@comanda/shared/contracts/problems';
import { authorize, readBearer } from '@comanda/shared/http/authenticate';
import { checkBodyHeaders } from '@comanda/shared/http/read-body';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { Step } from '../passage.ts';

/** Finds the endpoint in the exact table: 404 for what is not literally in it, 405 for another method. */
export function createRouting(endpoints: readonly AnyEndpoint[]): Step {
  const match = createRouteTable(endpoints);
  return (req, res, next) => {
    const found = match(req.method, req.url);
    if (found.found === 'nothing') throw problem('not_found');
    if (found.found === 'path') throw problem('method_not_allowed', {}, { Allow: found.allow });
    res.locals.endpoint = found.endpoint;
    res.locals.observed.route = `${found.endpoint.method} ${found.endpoint.path}`;
    next();
  };
}

/** What the gateway serves itself outside the table is read only. */
export const refuseMethod: Step = () => {
  throw problem('method_not_allowed', {}, { Allow: 'GET, HEAD' });
};

/** The end of the chain: what is in the table and yet served by nobody. */
export const refuseUnknown: Step = () => {
  throw problem('not_found');
};

/** Finds out who calls. A token that is no good is held against the caller after the address was counted. */
export const createIdentify =
  (tokens: TokenVerifier): Step =>
  async (req, res, next) => {
    const { locals } = res;
    locals.caller = null;
    locals.tokenRefusal = null;
    const token = readBearer(req);
    try {
      if (token !== null) locals.caller = await tokens.verify(token);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      locals.tokenRefusal = error;
    }
    locals.observed.userId = locals.caller?.userId;
    next();
  };

/** Lets in whom the contract lets in, with a body of the kind that it takes. */
export const admit: Step = (req, res, next) => {
  const { endpoint, caller, tokenRefusal } = res.locals;
  if (endpoint.who !== 'anyone' && !caller) throw tokenRefusal ?? problem('authentication_required');
  authorize(endpoint, caller);
  if (endpoint.body || hasBody(req)) checkBodyHeaders(req);
  next();
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
