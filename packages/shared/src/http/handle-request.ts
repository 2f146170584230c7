import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { NothingWritten, problem, Problem, problemBody, unavailable } from '@comanda/contracts/problem';
import { QueueFull } from '../runtime/batcher.ts';
import type { Logger } from '../runtime/logger.ts';
import { withTimeLimit } from '../runtime/time-limit.ts';
import { authenticate, authorize } from './authenticate.ts';
import type { ServiceAuthentication, ServiceCall } from './authenticate-service.ts';
import type { Client } from './client-address.ts';
import { refuseHostileHeaders, refuseMisplacedBody } from './hostile-headers.ts';
import { orderIn, type Observed } from './observe.ts';
import { asProblem, logFailure, sendProblem, type Translate } from './problem-handler.ts';
import type { InputReader } from './read-input.ts';
import { isConsented, sendReply, type AnyReply } from './reply.ts';
import { identifyRequest } from './request-fingerprint.ts';
import type { Match } from './route-table.ts';
import { signatureHeader } from './service-signature.ts';
import type { Caller, TokenVerifier } from './token-verifier.ts';

export type Route = Pick<AnyEndpoint, 'method' | 'path'> & {
  contract: AnyEndpoint;
  handler: (call: never) => Promise<AnyReply> | AnyReply;
  readInput: InputReader;
};
/** Checks that the caller's session has not ended. @throws 401 `invalid_token` */
export type AssertLive = (caller: Caller) => Promise<void>;
export type HandleRequestDeps = {
  observe: (req: IncomingMessage, res: ServerResponse) => Observed;
  readClient: (req: IncomingMessage) => Client;
  match: (method: string, target: string) => Match<Route>;
  authenticateService: ServiceAuthentication;
  tokens: TokenVerifier | null;
  /** Called before each write by a user, unless the contract says that the use case itself checks the session. */
  assertLive: AssertLive | undefined;
  timeLimitMs: number | undefined;
  uploadTimeLimitMs: number | undefined;
  translate: readonly Translate[];
  logger: Logger;
};
/** A request, and what the steps so far have found out about it. */
type Exchange = {
  req: Request;
  res: ServerResponse;
  observed: Observed;
  /**
   * The service that signed the request; null if no service did, or if that has not been checked yet. The response to a signed
   * request is signed too.
   */
  service: ServiceCall | null;
};
/** A request's route, its actual path, and the values of the parameters in that path. */
type Found = { route: Route; path: string; params: Record<string, string> };
type AnyCall = Awaited<ReturnType<typeof read>>;

/**
 * Creates the handler for all requests to endpoints. To reject a request, a step throws a problem, which becomes the response.
 */
export const createRequestHandler =
  (deps: HandleRequestDeps) =>
  async (req: Request, res: ServerResponse): Promise<void> => {
    const exchange = begin(deps, { req, res });
    try {
      await respond(deps, exchange);
    } catch (error) {
      fail(deps, { exchange, error });
    }
  };

function begin({ observe, readClient }: HandleRequestDeps, { req, res }: Pick<Exchange, 'req' | 'res'>): Exchange {
  const observed = observe(req, res);
  observed.address = readClient(req).address;
  res.setHeader('X-Request-Id', observed.context.requestId);
  return { req, res, observed, service: null };
}

/** Runs the steps that handle a request, in order. */
async function respond(deps: HandleRequestDeps, exchange: Exchange): Promise<void> {
  const { res, observed } = exchange;
  const found = find(deps, exchange);
  const { contract } = found.route;
  const caller = await identify(deps, { exchange, contract });
  const call = await read({ exchange, found, caller });
  const limitMs = contract.upload ? deps.uploadTimeLimitMs : deps.timeLimitMs;
  const reply = await inTime(handle(deps, { route: found.route, call }), { limitMs, method: contract.method });
  if (!isConsented(contract, reply))
    throw new Error(`${observed.route} returned success without spending a step-up token`);
  observed.orderId ??= orderIn(reply.headers?.['Location']);
  sendReply(res, { reply, contract, service: exchange.service });
}

/** Finds the request's route and path parameters. @throws 404 `not_found`, 405 `method_not_allowed`, 400 `malformed_request` */
function find({ match }: HandleRequestDeps, { req, observed }: Exchange): Found {
  refuseHostileHeaders(req);
  const found = match(req.method ?? '', req.url ?? '');
  if (found.kind === 'none') throw problem('not_found');
  if (found.kind === 'wrong_method') throw problem('method_not_allowed', {}, { Allow: found.allow });
  refuseMisplacedBody(req);
  const { endpoint: route, path, params } = found;
  observed.route = `${route.method} ${route.path}`;
  observed.orderId = orderIn(path);
  return { route, path, params };
}

/** Identifies the service and the user that sent the request, and checks that they may call the endpoint. */
async function identify(
  deps: HandleRequestDeps,
  { exchange, contract }: { exchange: Exchange; contract: AnyEndpoint },
): Promise<Caller | null> {
  const { req, observed } = exchange;
  exchange.service = await deps.authenticateService(req, contract);
  const caller = await authenticate(req, { contract, tokens: deps.tokens });
  observed.userId = caller?.userId;
  authorize(contract, caller);
  return caller;
}

/** Reads the request's input and returns the call that the handler gets. */
async function read({ exchange, found, caller }: { exchange: Exchange; found: Found; caller: Caller | null }) {
  const { req, observed, service } = exchange;
  const { route, path, params } = found;
  const { idempotencyKey: key, ...input } = await route.readInput(req, { params, bytes: service?.bytes });
  const { method, stepUp } = route.contract;
  return {
    ...input,
    caller,
    context: observed.context,
    route: { method, path, stepUp },
    idempotency: caller && identifyRequest({ userId: caller.userId, method, path, key, body: input.body }),
    address: observed.address,
    accepts: (...types: string[]) => req.accepts(types) || null,
    sender: service?.name ?? null,
    isAwaited: () => isStillAwaited(req),
  };
}

async function handle(
  { assertLive }: HandleRequestDeps,
  { route: { contract, handler }, call }: { route: Route; call: AnyCall },
): Promise<AnyReply> {
  if (assertLive && call.caller && contract.method !== 'GET' && contract.liveSession !== 'use_case')
    await assertLive(call.caller);
  // `Api.handle` gives the handler's parameter its type from the contract, and the input was read according to the same contract.
  return handler(call as never);
}

/** Waits for a reply for at most `limitMs` milliseconds. @throws 503 `service_unavailable` */
function inTime(
  reply: Promise<AnyReply>,
  { limitMs, method }: { limitMs: number | undefined; method: string },
): Promise<AnyReply> {
  if (limitMs === undefined) return reply;
  const deadline = performance.now() + limitMs;
  return withTimeLimit(reply, { deadline, onTimeout: () => tooLate(method) });
}

const tooLate = (method: string): Problem => unavailable(method === 'GET' ? {} : { outcome: 'unknown' });

function fail(
  { translate, logger }: HandleRequestDeps,
  { exchange, error }: { exchange: Exchange; error: unknown },
): void {
  const { req, res, service, observed } = exchange;
  const { context } = observed;
  const failure = asProblem(error, translate);
  logFailure(logger, error, { failure, context });
  if (mayHaveWritten(error, { failure, method: req.method })) failure.members.outcome = 'unknown';
  if (service) signProblem(res, failure, { requestId: context.requestId, service });
  sendProblem(res, failure, context.requestId);
}

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

/**
 * Returns true if the client is still connected. A process that was suspended (SIGSTOP) and resumed reads the request before it
 * notices that the client has closed the connection. After two turns of the event loop, it has noticed both.
 */
async function isStillAwaited({ socket }: IncomingMessage): Promise<boolean> {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return !socket.destroyed && !socket.readableEnded;
}

function signProblem(
  res: ServerResponse,
  failure: Problem,
  { requestId, service }: { requestId: string; service: ServiceCall },
): void {
  const body = Buffer.from(JSON.stringify(problemBody(failure, requestId)));
  res.setHeader(signatureHeader, service.sign({ status: failure.status, body }));
}
