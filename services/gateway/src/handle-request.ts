import type { ServerResponse } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { authorize } from '@comanda/shared/http/authenticate';
import type { Client } from '@comanda/shared/http/client-address';
import { isHealthPath } from '@comanda/shared/http/health';
import { refuseMisplacedBody } from '@comanda/shared/http/hostile-headers';
import { hasBody, readBody } from '@comanda/shared/http/read-body';
import { orderIn, type Observed } from '@comanda/shared/http/observe';
import type { Match } from '@comanda/shared/http/route-table';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { Connections } from './limits/connections.ts';
import type { Limits } from './limits/limits.ts';
import { checkBody, isAsInContract } from './middleware/check-body.ts';
import type { Cors } from './middleware/cors.ts';
import { identifyCaller } from './middleware/identify-caller.ts';
import { refuseHostileRequest } from './middleware/refuse-hostile.ts';
import { readTarget } from './middleware/request-target.ts';
import type { ReadUpload } from './middleware/read-upload.ts';
import { setFilePolicy, type SecurityHeaders } from './middleware/security-headers.ts';
import type { ServiceProxies } from './proxy/service-proxies.ts';
import type { RefuseRequest } from './refuse-request.ts';
import type { GatewayRequest, RequestState } from './request-state.ts';

export type HandleRequestDeps = {
  observe: (req: GatewayRequest, res: ServerResponse) => Observed;
  readClient: (req: GatewayRequest) => Client;
  /** Rejects a client that must use TLS but does not. @throws 403 `tls_required` */
  requireTls: (client: Client) => void;
  securityHeaders: SecurityHeaders;
  matchRoute: (method: string, target: string) => Match<AnyEndpoint>;
  cors: Cors;
  tokens: TokenVerifier;
  connections: Connections;
  limits: Limits;
  readUpload: ReadUpload;
  services: ServiceProxies;
  /** Serves the gateway's own paths: health, API documents and web apps. Any other request gets a 404 or 405. */
  serveLocally: (state: RequestState) => void;
  refuse: RefuseRequest;
};

/** Creates the handler for every request to the gateway. If any step fails, its problem is the response. */
export const createRequestHandler =
  (deps: HandleRequestDeps) =>
  (req: GatewayRequest, res: ServerResponse): void => {
    const state = beginRequest(deps, { req, res });
    handleRequest(deps, state).catch((error: unknown) => deps.refuse(state, error));
  };

/** Runs the steps of a request in order. A step rejects the request by throwing a problem. */
async function handleRequest(deps: HandleRequestDeps, state: RequestState): Promise<void> {
  deps.connections.onRequest(state);
  if (!isHealthPath(state.path)) deps.requireTls(state.client);
  refuseHostileRequest(state);

  const route = deps.matchRoute(state.req.method ?? '', state.target);
  state.route = route;
  if (route.kind !== 'wrong_method') refuseMisplacedBody(state.req);
  if (deps.cors(state) === 'preflight') {
    deps.limits.countPreflight(state);
    return sendPreflight(state);
  }
  if (route.kind !== 'endpoint' || route.endpoint.service === 'gateway') return deps.serveLocally(state);

  const { endpoint } = route;
  state.observed.route = `${endpoint.method} ${endpoint.path}`;
  state.observed.orderId = orderIn(route.path);
  const { caller, tokenProblem } = await identifyCaller(state.req, deps.tokens);
  state.caller = caller;
  state.observed.userId = caller?.userId;

  // Requests rejected here count as rejections, so they cannot use up other clients' limits.
  if (endpoint.who !== 'anyone' && !caller) throw tokenProblem ?? problem('authentication_required');
  authorize(endpoint, caller);
  checkBody(state.req, endpoint);
  if (caller || endpoint.limit !== 'session') deps.limits.countRequest(state, endpoint);
  if (endpoint.limit === 'step_up' && caller) await deps.limits.countStepUp(state, caller);
  // The body is read before a slot for the service is taken, because a client may take 30 s to send it.
  if (endpoint.upload) state.body = await deps.readUpload(state, { upload: endpoint.upload });
  else if (hasBody(state.req)) state.body = await readBody(state.req, endpoint);
  // Without an access token, only the token in the body identifies the session.
  if (!caller && endpoint.limit === 'session' && !isAsInContract(endpoint, state.body))
    deps.limits.countRequest(state, endpoint);
  if (endpoint.responses[200]?.file === 'image/webp') setFilePolicy(state.responseHeaders);

  deps.services[route.endpoint.service].forward(state);
}

function beginRequest(
  { observe, readClient, securityHeaders }: HandleRequestDeps,
  { req, res }: { req: GatewayRequest; res: ServerResponse },
): RequestState {
  const observed = observe(req, res);
  const client = readClient(req);
  observed.address = client.address;
  const state: RequestState = {
    req,
    res,
    observed,
    client,
    ...readTarget(req),
    responseHeaders: [...securityHeaders(client), 'X-Request-Id', observed.context.requestId],
    headersSet: 0,
    counted: false,
    body: null,
    route: { kind: 'none' },
    caller: null,
  };
  req.state = state;
  return state;
}

function sendPreflight({ res, responseHeaders }: RequestState): void {
  res.writeHead(204, responseHeaders);
  res.end();
}
