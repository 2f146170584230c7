import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import type { Client } from '@comanda/shared/http/client-address';
import type { Observed } from '@comanda/shared/http/observe';
import type { Match } from '@comanda/shared/http/route-table';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { http } from '@comanda/shared/runtime/node-http';

/** Everything that the gateway knows about one request. Each step gets this state; the request itself is never changed. */
export type RequestState = {
  readonly req: GatewayRequest;
  readonly res: ServerResponse;
  /** Facts about this request, for the log line and the metrics. */
  readonly observed: Observed;
  readonly client: Client;
  /** The request target in origin form [RFC 9112, 3.2.1], with its query. */
  readonly target: string;
  /** The target without its query. */
  readonly path: string;
  /** The gateway's own headers for the response: alternating names and values, in the format of `writeHead`. */
  readonly responseHeaders: string[];
  /** How many items in `responseHeaders` are already set on the response. */
  headersSet: number;
  /** True once a rate limit has counted this request. */
  counted: boolean;
  /** The complete body; null if there is none or it has not been read yet. */
  body: Buffer | null;
  /** The route table's result for the request's method and target. */
  route: Match<AnyEndpoint>;
  /** The verified caller; null without a valid token. */
  caller: Caller | null;
};

/**
 * A request to this server. http-proxy-middleware and Express call the gateway back with the request only, so `state` gives
 * access to everything else that is known about the request.
 */
export class GatewayRequest extends http.IncomingMessage {
  state: RequestState | null = null;
}

/** Returns the state of a request that a library passes back. Express replaces the prototype of requests, but no fields. */
export function stateOf(req: IncomingMessage): RequestState {
  const { state } = req as GatewayRequest;
  if (!state) throw new Error('The request has no state: it did not come through handle-request.');
  return state;
}
