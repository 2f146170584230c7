import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problems';
import { authorize } from '@comanda/shared/http/authenticate';
import type { Client } from '@comanda/shared/http/client-address';
import { refuseMisplacedBody } from '@comanda/shared/http/hostile-headers';
import type { Observed } from '@comanda/shared/http/observe';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { CrossOrigin } from './door/cross-origin.ts';
import { checkBody } from './door/check-body.ts';
import { identify } from './door/identify.ts';
import { refuseHostile } from './door/refuse-hostile.ts';
import type { SecurityHeaders } from './door/security-headers.ts';
import type { Limits } from './limits/limits.ts';
import type { Passage, PassageResponse } from './passage.ts';
import type { Refuse } from './refuse.ts';

type Gate = {
  endpoints: readonly AnyEndpoint[];
  observe: (req: IncomingMessage, res: ServerResponse) => Observed;
  readClient: (req: IncomingMessage) => Client;
  securityHeaders: SecurityHeaders;
  crossOrigin: CrossOrigin;
  tokens: TokenVerifier;
  limits: Limits;
  /** Sends the request to the service of its endpoint. */
  forward: (req: IncomingMessage, res: PassageResponse) => void;
  /** Serves what is the gateway's own, and says `refusal` where it is not. */
  pages: RequestListener;
  refuse: Refuse;
};

/** Every request's way through the gateway, from top to bottom. Whatever a step throws is the answer. */
export function createGate(gate: Gate): RequestListener {
  const match = createRouteTable(gate.endpoints);

  async function pass(req: IncomingMessage, res: PassageResponse): Promise<void> {
    const passage = res.locals;
    refuseHostile(req);
    const found = match(req.method ?? '', req.url ?? '');
    if (found.kind !== 'wrong_method') refuseMisplacedBody(req);
    if (gate.crossOrigin(req, passage) === 'preflight') return answerPreflight(res);
    if (found.kind !== 'endpoint' || found.endpoint.service === 'gateway') {
      passage.refusal =
        found.kind === 'wrong_method'
          ? problem('method_not_allowed', {}, { Allow: found.allow })
          : problem('not_found');
      gate.pages(req, res);
      return;
    }
    const { endpoint } = found;
    passage.endpoint = endpoint;
    passage.observed.route = `${endpoint.method} ${endpoint.path}`;
    // A token that is no good is held against its bearer after the address was counted.
    const known = identify(req, gate.tokens);
    const { caller, refusal } = 'then' in known ? await known : known;
    passage.caller = caller;
    passage.observed.userId = caller?.userId;
    gate.limits.countAll(passage);
    if (endpoint.limit === 'step_up' && caller) await gate.limits.countStepUp(passage, caller);
    if (endpoint.who !== 'anyone' && !caller) throw refusal ?? problem('authentication_required');
    authorize(endpoint, caller);
    checkBody(req, endpoint);
    gate.forward(req, res);
  }

  return (req, res) => {
    const observed = gate.observe(req, res);
    const client = gate.readClient(req);
    const headers = [...gate.securityHeaders(client), 'X-Request-Id', observed.context.requestId];
    const passage: Passage = { observed, client, headers, endpoint: null, caller: null, refusal: null };
    const passing = res as PassageResponse;
    passing.locals = passage;
    pass(req, passing).catch((error: unknown) => gate.refuse(passing, error));
  };
}

function answerPreflight(res: PassageResponse): void {
  res.writeHead(204, res.locals.headers);
  res.end();
}
