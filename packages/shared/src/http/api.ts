import express, { type Express } from 'express';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, StepUp, Upload } from '@comanda/contracts/endpoint';
import type { Shape } from '@comanda/contracts/schema';
import type { Dependency } from '../runtime/dependency.ts';
import type { Logger } from '../runtime/logger.ts';
import { addBuildInfo, type Metrics } from '../runtime/metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createServiceAuthentication } from './authenticate-service.ts';
import { createClientReader } from './client-address.ts';
import { createRequestHandler, type AssertLive, type Route } from './handle-request.ts';
import { serveHealth, servePublicHealth, watchDependencies } from './health.ts';
import { createObserver } from './observe.ts';
import type { Translate } from './problem-handler.ts';
import { createInputReader } from './read-input.ts';
import type { ReplyTo } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import type { IdempotentRequest } from './request-fingerprint.ts';
import { createRouteTable } from './route-table.ts';
import type { Caller, TokenVerifier } from './token-verifier.ts';

/** One request to an endpoint, validated against its contract. */
export type Call<E> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  context: RequestContext;
  /** The request's idempotency key; null if the contract accepts none or the client sent none. */
  idempotency: IdempotentRequest | null;
  header: (name: string) => string | undefined;
  /** Returns the one of these media types that `Accept` prefers [RFC 9110, 12.5.1]; null if it accepts none of them. */
  accepts: (...types: string[]) => string | null;
  /** The client's IP address: the socket's peer, or the address that a trusted proxy reports. */
  address: string;
  /** The route to which idempotency keys and step-up tokens are bound. `path` is the actual path, without the alias `/v1`. */
  route: { method: string; path: string; stepUp: StepUp | undefined };
  /** The body's bytes, if the contract accepts any body and the client sent one. */
  content: Buffer | null;
  /** The service that signed the request; null if it is not signed. */
  sender: string | null;
  /** Returns true if the client is still connected. First handles everything that the network has already delivered. */
  isAwaited: () => Promise<boolean>;
} & (E extends { who: infer W } ? { caller: 'anyone' extends W ? Caller | null : Caller } : never) &
  (E extends { upload?: infer U } ? ([U] extends [Upload] ? { file: Buffer } : unknown) : unknown);

type Handler<E> = (call: Call<E>) => Promise<ReplyTo<E>> | ReplyTo<E>;
export type Api = {
  app: Express;
  /** Adds a route for the endpoint. Headers, token, role, parameters and body are checked before `handler` is called. */
  handle: <P extends Shape, Q extends Shape, B, A, E extends Endpoint<P, Q, B, A>>(
    contract: E,
    handler: Handler<E>,
  ) => void;
};
type Options = {
  logger: Logger;
  /** The service's version. `/readyz` reports it on an inner port. */
  version: string;
  metrics: Metrics;
  /** Verifies access tokens; null if no endpoint needs a token. */
  tokens: TokenVerifier | null;
  /** Functions that translate errors from the stores into problems. */
  translate: readonly Translate[];
  dependencies: readonly Dependency[];
  /**
   * The kind of port; by default `inner`. Clients can reach a `public` port, so its health checks report little, and metrics are
   * on another port.
   */
  port?: 'inner' | 'public';
  /**
   * How long a handler may take, in milliseconds; by default unlimited. After that, the response is 503, with `outcome:
   * "unknown"` for a write, while the handler continues.
   */
  timeLimitMs?: number;
  /** The time limit for calls that receive a file, in milliseconds. */
  uploadTimeLimitMs?: number;
  /**
   * The setting `CALLER_SECRETS`, for a service that other services call. Without it, all calls to endpoints with `callers` are
   * rejected.
   */
  callerSecrets?: string;
  /** The proxies whose X-Forwarded-For header is used; none by default. */
  trustedProxies?: readonly string[];
  tracer: Tracer;
  /** Checks the caller's session before each write; absent in services that don't store sessions. */
  assertLive?: AssertLive;
};

/** Creates a service's HTTP API: routes from contracts, problem+json for all failures [RFC 9457], health and metrics. */
export function createApi(options: Options): Api {
  const { logger } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (options.port === 'public') servePublicHealth(app, options);
  else {
    addBuildInfo(options.metrics, options.version);
    watchDependencies(options.metrics, options.dependencies);
    serveHealth(app, options);
  }
  const routes: Route[] = [];
  let match = createRouteTable(routes);
  app.use(
    createRequestHandler({
      observe: createObserver({ ...options, senders: options.port === 'public' ? 'anybody' : 'services' }),
      readClient: createClientReader({ trustedProxies: options.trustedProxies ?? [], logger }),
      match: (method, target) => match(method, target),
      authenticateService: createServiceAuthentication(options.callerSecrets),
      tokens: options.tokens,
      assertLive: options.assertLive,
      timeLimitMs: options.timeLimitMs,
      uploadTimeLimitMs: options.uploadTimeLimitMs,
      translate: options.translate,
      logger,
    }),
  );

  return {
    app,
    handle: (contract, handler) => {
      const { method, path } = contract;
      routes.push({ method, path, contract, handler, readInput: createInputReader(contract) });
      match = createRouteTable(routes);
    },
  };
}
