import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import Joi from 'joi';
import type {
  ResponseOf,
  AnyEndpoint,
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  StepUp,
  Upload,
} from '@comanda/contracts/endpoint';
import { NothingWritten, problem, Problem, problemBody } from '@comanda/contracts/problem';
import type { Shape } from '@comanda/contracts/schema';
import { QueueFull } from '../runtime/batcher.ts';
import type { Logger } from '../runtime/logger.ts';
import { addBuildInfo, type Metrics } from '../runtime/metrics.ts';
import { withTimeLimit } from '../runtime/time-limit.ts';
import { authenticate, authorize } from './authenticate.ts';
import { createServiceAuthentication, type ServiceCall } from './authenticate-service.ts';
import { createClientReader } from './client-address.ts';
import type { Dependency } from '../runtime/dependency.ts';
import { serveHealth, servePublicHealth, watchDependencies } from './health.ts';
import { asProblem, logFailure, sendProblem, type Translate } from './problem-handler.ts';
import { hasBody, readFileBody, readJsonBody } from './read-body.ts';
import type { RequestContext } from './request-context.ts';
import { requestFingerprint, type IdempotentRequest } from './request-fingerprint.ts';
import { refuseHostileHeaders, refuseMisplacedBody } from './hostile-headers.ts';
import { createObserver, orderIn } from './observe.ts';
import { createRouteTable } from './route-table.ts';
import { signatureHeader } from './service-signature.ts';
import { checkTokenForm, type Consent } from './step-up.ts';
import { parseStrictJson } from './strict-json.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Caller, TokenVerifier } from './token-verifier.ts';
import { pointerTo, validate } from './validate.ts';

/** One request to an endpoint, validated against its contract. */
export type Call<E> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  context: RequestContext;
  /** The idempotency key of the request; null unless the contract accepts one and the client sent one. */
  idempotency: IdempotentRequest | null;
  header: (name: string) => string | undefined;
  /** The client's IP address: the socket's peer, or the address that a trusted proxy reports. */
  address: string;
  /** The route that idempotency keys and step-up tokens are bound to. `path` is the actual path, without the alias. */
  route: { method: string; path: string; stepUp: StepUp | undefined };
  /** The service that signed the request; null if it is not signed. */
  sender: string | null;
  /** Returns true if the client is still connected, after reading what the network has already delivered. */
  isAwaited: () => Promise<boolean>;
} & (E extends { who: infer W } ? { caller: 'anyone' extends W ? Caller | null : Caller } : never) &
  (E extends { upload?: infer U } ? ([U] extends [Upload] ? { file: Buffer } : unknown) : unknown);

export type Reply<A> = {
  status: 200 | 201 | 204 | 304;
  body?: A;
  /** The file in the response, if the contract returns one. */
  file?: Buffer;
  headers?: Readonly<Record<string, string>>;
  /** True if the reply repeats the response to an earlier request with the same idempotency key. Adds `Idempotent-Replayed`. */
  replayed?: boolean;
};
/** The proof, in a reply from an endpoint with a step-up key, that a token was spent, now or by the first request. */
type WithConsent<S> =
  | { consent: Consent }
  | { replayed: true }
  | (S extends { demanded: 'by_setting' } ? { consent: null } : never);
export type ReplyTo<E> = Reply<ResponseOf<E>> &
  (E extends { stepUp?: infer S } ? ([S] extends [undefined] ? unknown : WithConsent<S>) : unknown);
type Handler<E> = (call: Call<E>) => Promise<ReplyTo<E>> | ReplyTo<E>;
type AnyReply = Reply<unknown> & { consent?: Consent | null };
type Route = {
  contract: AnyEndpoint;
  handler: (call: never) => Promise<AnyReply> | AnyReply;
  params: Joi.ObjectSchema;
  query: Joi.ObjectSchema;
};

export type Api = {
  app: Express;
  /** Adds the route of `contract`. Headers, token, role, parameters and body are checked before `handler` is called. */
  handle: <P extends Shape, Q extends Shape, B, A, E extends Endpoint<P, Q, B, A>>(
    contract: E,
    handler: Handler<E>,
  ) => void;
};
type Options = {
  logger: Logger;
  /** The service's version, which an inner port reports. */
  version: string;
  metrics: Metrics;
  /** Verifies access tokens; null if no endpoint needs a token. */
  tokens: TokenVerifier | null;
  /** Functions that translate errors from the stores into problems. */
  translate: readonly Translate[];
  dependencies: readonly Dependency[];
  /** `public`: clients reach this port, so health checks report little and metrics are on another port. Default: `inner`. */
  port?: 'inner' | 'public';
  /**
   * How long a handler may take, in milliseconds; by default unlimited. After that, the response is 503, with `outcome:
   * "unknown"` for a write, while the handler continues.
   */
  timeLimitMs?: number;
  /** The time limit for calls that take a file, in milliseconds. */
  uploadTimeLimitMs?: number;
  /** `CALLER_SECRETS` for a service that others call. Without it, calls to endpoints with `callers` are rejected. */
  callerSecrets?: string;
  /** Proxies whose X-Forwarded-For is used; none by default. */
  trustedProxies?: readonly string[];
  tracer: Tracer;
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
  const observe = createObserver({ ...options, senders: options.port === 'public' ? 'anybody' : 'services' });
  const readClient = createClientReader({ trustedProxies: options.trustedProxies ?? [], logger });
  const authenticateService = createServiceAuthentication(options.callerSecrets);
  const routes = new Map<AnyEndpoint, Route>();
  let match = createRouteTable<AnyEndpoint>([]);

  app.use(async (req: IncomingMessage, res: ServerResponse) => {
    const observed = observe(req, res);
    const { context } = observed;
    const { address } = readClient(req);
    observed.address = address;
    res.setHeader('X-Request-Id', context.requestId);
    let service: ServiceCall | null = null;
    try {
      refuseHostileHeaders(req);
      const found = match(req.method ?? '', req.url ?? '');
      if (found.kind === 'none') throw problem('not_found');
      if (found.kind === 'wrong_method') throw problem('method_not_allowed', {}, { Allow: found.allow });
      refuseMisplacedBody(req);
      const { endpoint: contract } = found;
      observed.route = `${contract.method} ${contract.path}`;
      observed.orderId = orderIn(found.path);
      const route = routes.get(contract);
      if (!route) throw new Error(`no handler for ${observed.route}`);
      service = await authenticateService(req, contract);
      const caller = await authenticate(req, { contract, tokens: options.tokens });
      observed.userId = caller?.userId;
      authorize(contract, caller);
      const isAwaited = (): Promise<boolean> => isStillAwaited(req);
      const { idempotencyKey, ...input } = await readInput(req, route, {
        params: found.params,
        bytes: service?.bytes,
      });
      const { method, stepUp } = contract;
      const idempotency =
        idempotencyKey !== undefined && caller
          ? identify(idempotencyKey, { userId: caller.userId, method, path: found.path, body: input.body })
          : null;
      const identity = { method, path: found.path, stepUp };
      const sender = service?.name ?? null;
      const call = { caller, context, route: identity, idempotency, address, sender, isAwaited, ...input } as never;
      const reply = await respondInTime(route, call, contract.upload ? options.uploadTimeLimitMs : options.timeLimitMs);
      if (!isConsented(contract, reply))
        throw new Error(`${observed.route} returned success without spending a step-up token`);
      observed.orderId ??= orderIn(reply.headers?.['Location']);
      send(res, { reply, contract, service });
    } catch (error) {
      const failure = asProblem(error, options.translate);
      logFailure(logger, error, { failure, context });
      if (mayHaveWritten(error, { failure, method: req.method })) failure.members.outcome = 'unknown';
      if (service) signProblem(res, failure, { requestId: context.requestId, service });
      sendProblem(res, failure, context.requestId);
    }
  });

  return {
    app,
    handle: (contract, handler) => {
      const params = Joi.object(contract.params ?? {});
      const query = Joi.object(contract.query ?? {});
      routes.set(contract, { contract, handler: handler, params, query });
      match = createRouteTable([...routes.keys()]);
    },
  };
}

/**
 * Returns true if the user's authorization is proven: a token was spent, now or by the first request, or a setting requires none.
 */
function isConsented({ stepUp }: AnyEndpoint, { consent, replayed }: AnyReply): boolean {
  if (!stepUp || consent || replayed) return true;
  return consent === null && stepUp.demanded === 'by_setting';
}

async function respondInTime(
  { contract, handler }: Route,
  call: never,
  limitMs: number | undefined,
): Promise<AnyReply> {
  if (limitMs === undefined) return handler(call);
  const deadline = performance.now() + limitMs;
  return withTimeLimit(Promise.resolve(handler(call)), { deadline, onTimeout: () => tooLate(contract.method) });
}

const tooLate = (method: string): Problem =>
  problem('service_unavailable', method === 'GET' ? {} : { outcome: 'unknown' }, { 'Retry-After': '1' });

/**
 * Returns true if a failed request may have written data. A handler throws a problem only if nothing was written; any other error
 * may come after the write.
 */
function mayHaveWritten(
  error: unknown,
  { failure, method }: { failure: Problem; method: string | undefined },
): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !(error instanceof Problem || error instanceof QueueFull || failure instanceof NothingWritten);
}

const identify = (key: string, request: Omit<Parameters<typeof requestFingerprint>[0], 'key'>): IdempotentRequest => ({
  key,
  fingerprint: requestFingerprint({ ...request, key }),
});

type Received = { params: Record<string, string>; bytes: Buffer | undefined };

async function readInput(req: IncomingMessage, route: Route, { params: rawParams, bytes }: Received) {
  const { contract } = route;
  const params = contract.params ? validate(route.params, rawParams, 'path') : {};
  const query = validate(route.query, readQuery(req.url ?? ''), 'query');
  const idempotencyKey = contract.idempotencyKey ? readIdempotencyKey(req) : undefined;
  const isOmitted = contract.mayOmitBody && !hasBody(req);
  const readSent = (): unknown => (bytes ? parseStrictJson(bytes) : readJsonBody(req, contract));
  const body = contract.body ? validate(contract.body, isOmitted ? {} : await readSent()) : undefined;
  const { upload } = contract;
  const file = upload ? await readFileBody(req, { upload }) : undefined;
  const header = (name: string): string | undefined => req.headersDistinct[name.toLowerCase()]?.join(', ');
  // Where a token is always required, it is checked after the idempotency key.
  if (contract.stepUp?.demanded === 'by_setting') checkTokenForm(header('X-Step-Up-Token'));
  return { params, query, body, file, idempotencyKey, header };
}

/**
 * Checks whether the client is still connected. A process that was suspended (SIGSTOP) and resumed reads the request before it
 * notices that the client has closed the connection. After two turns of the event loop, it has read both.
 */
async function isStillAwaited({ socket }: IncomingMessage): Promise<boolean> {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return !socket.destroyed && !socket.readableEnded;
}

function readQuery(target: string): Record<string, string> {
  const queryStart = target.indexOf('?');
  const entries = [...new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart))];
  const query = new Map<string, string>();
  for (const [name, value] of entries) {
    const detail = query.has(name) ? 'must be given only once' : name === '__proto__' ? 'is not allowed' : null;
    if (detail) throw problem('validation_failed', { errors: [{ pointer: pointerTo(name), detail, in: 'query' }] });
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

const keyForm = /^[\u0021-\u007e]{1,128}$/;
function readIdempotencyKey(req: IncomingMessage): string | undefined {
  const sent = req.headersDistinct['idempotency-key'];
  if (!sent) return undefined;
  const [key = ''] = sent;
  if (sent.length > 1 || !keyForm.test(key))
    throw problem('validation_failed', {
      errors: [
        {
          pointer: '/Idempotency-Key',
          detail: 'must be sent only once, with 1 to 128 visible ASCII characters',
          in: 'header',
        },
      ],
    });
  return key;
}

function signProblem(
  res: ServerResponse,
  failure: Problem,
  { requestId, service }: { requestId: string; service: ServiceCall },
): void {
  const body = Buffer.from(JSON.stringify(problemBody(failure, requestId)));
  res.setHeader(signatureHeader, service.sign({ status: failure.status, body }));
}

type Sent = { reply: Reply<unknown>; contract: AnyEndpoint; service: ServiceCall | null };

function send(res: ServerResponse, { reply, contract, service }: Sent): void {
  res.statusCode = reply.status;
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  if (reply.replayed) res.setHeader('Idempotent-Replayed', 'true');
  const body = reply.file ?? (reply.body === undefined ? null : Buffer.from(JSON.stringify(reply.body)));
  if (body === null) {
    res.end();
    return;
  }
  res.setHeader('Content-Type', (reply.file && contract.responses[200]?.file) ?? 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  if (service) res.setHeader(signatureHeader, service.sign({ status: reply.status, body }));
  res.end(res.req.method === 'HEAD' ? undefined : body);
}
