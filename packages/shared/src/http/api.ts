import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { Express } from 'express';
import Joi from 'joi';
import type { AnswerOf, AnyEndpoint, BodyOf, Endpoint, ParamsOf, QueryOf } from '../contracts/endpoint.ts';
import { problem, Problem } from '../contracts/problems.ts';
import type { Shape } from '../contracts/schema.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { authenticate, authorize } from './authenticate.ts';
import { createClientReader } from './client-address.ts';
import { serveHealth } from './health.ts';
import type { Dependency } from './health.ts';
import { asProblem, logFailure, sendProblem } from './problem-handler.ts';
import type { Translate } from './problem-handler.ts';
import { readJsonBody } from './read-body.ts';
import type { RequestContext } from './request-context.ts';
import { refuseHostileHeaders, refuseMisplacedBody } from './hostile-headers.ts';
import { createObserver } from './observe.ts';
import { createRouteTable } from './route-table.ts';
import { wasConsumed } from './step-up.ts';
import type { Caller, TokenVerifier } from './token-verifier.ts';
import { pointerTo, validate } from './validate.ts';

/** What a story is told of its call, checked against the contract. */
export type Call<E> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  context: RequestContext;
  /** Present where the contract takes one. */
  idempotencyKey: string | undefined;
  header: (name: string) => string | undefined;
  /** The client's address: the socket's, or what a trusted proxy says. */
  address: string;
  /** The call as an idempotency key and a step-up token identify it: `path` is the concrete one, without alias. */
  route: { method: string; path: string; stepUp: string | undefined };
  /** Whether somebody still waits for the answer; what the network has in store is read first. */
  isAwaited: () => Promise<boolean>;
} & (E extends { who: infer W } ? { caller: 'anyone' extends W ? Caller | null : Caller } : never);

export type Reply<A> = { status: 200 | 201 | 204 | 304; body?: A; headers?: Readonly<Record<string, string>> };
type Story<E> = (call: Call<E>) => Promise<Reply<AnswerOf<E>>> | Reply<AnswerOf<E>>;
type Route = { contract: AnyEndpoint; story: (call: never) => Promise<Reply<unknown>> | Reply<unknown> };

export type Api = {
  app: Express;
  /** Adds the route of `contract`: headers, token, role, params, query and body are checked before `story` is called. */
  handle: <P extends Shape, Q extends Shape, B, A, E extends Endpoint<P, Q, B, A>>(
    contract: E,
    story: Story<E>,
  ) => void;
};
type Options = {
  logger: Logger;
  metrics: Metrics;
  /** Null where no endpoint needs a token. */
  tokens: TokenVerifier | null;
  /** Failures of the stores, as problems. */
  translate: readonly Translate[];
  dependencies: readonly Dependency[];
  /** Proxies whose X-Forwarded-For counts; none by default. */
  trustedProxies?: readonly string[];
};

/** A service's HTTP side: contracts become routes; every failure is problem+json [RFC 9457]; health and metrics beside them. */
export function createApi(options: Options): Api {
  const { logger } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  serveHealth(app, options);
  const observe = createObserver(options);
  const readClient = createClientReader(options.trustedProxies ?? []);
  const routes = new Map<AnyEndpoint, Route['story']>();
  let match = createRouteTable<AnyEndpoint>([]);

  app.use(async (req: IncomingMessage, res: ServerResponse) => {
    const seen = observe(req, res);
    const { context } = seen;
    res.setHeader('X-Request-Id', context.requestId);
    try {
      refuseHostileHeaders(req);
      const found = match(req.method ?? '', req.url ?? '');
      if (found.found === 'nothing') throw problem('not_found');
      if (found.found === 'path') throw problem('method_not_allowed', {}, { Allow: found.allow });
      refuseMisplacedBody(req);
      const { endpoint: contract } = found;
      seen.route = `${contract.method} ${contract.path}`;
      const caller = await authenticate(req, { contract, tokens: options.tokens });
      seen.userId = caller?.userId;
      authorize(contract, caller);
      const route = { method: contract.method, path: found.path, stepUp: contract.stepUp };
      const { address } = readClient(req);
      const isAwaited = (): Promise<boolean> => isStillAwaited(req);
      const input = await readInput(req, contract, found.params);
      const call = { caller, context, route, address, isAwaited, ...input };
      const story = routes.get(contract);
      if (!story) throw new Error(`no story for ${seen.route}`);
      const reply = await story(call as never);
      if (contract.stepUp !== undefined && !wasConsumed(call) && !isReplay(reply))
        throw new Error(`${seen.route} would succeed without a step-up token being spent`);
      send(res, reply, req.method === 'HEAD');
    } catch (error) {
      const failure = asProblem(error, options.translate);
      logFailure(logger, error, { failure, requestId: context.requestId });
      // A story's own problem is definite; a failure that nobody decided may have come after the write.
      const undecided = !(error instanceof Problem) && req.method !== 'GET' && req.method !== 'HEAD';
      if (undecided) failure.members.outcome = 'unknown';
      sendProblem(res, failure, context.requestId);
    }
  });

  return {
    app,
    handle: (contract, story) => {
      routes.set(contract, story);
      match = createRouteTable([...routes.keys()]);
    },
  };
}

async function readInput(req: IncomingMessage, contract: AnyEndpoint, rawParams: Record<string, string>) {
  const params = contract.params ? validate(Joi.object(contract.params), rawParams, 'path') : {};
  const query = validate(Joi.object(contract.query ?? {}), readQuery(req.url ?? ''), 'query');
  const idempotencyKey = contract.idempotencyKey ? readIdempotencyKey(req) : undefined;
  const body = contract.body ? validate(contract.body, await readJsonBody(req)) : undefined;
  const header = (name: string): string | undefined => req.headersDistinct[name.toLowerCase()]?.join(', ');
  return { params, query, body, idempotencyKey, header };
}

/** An answer that was given before: its token was spent then. */
const isReplay = ({ headers }: Reply<unknown>): boolean => headers?.['Idempotent-Replayed'] === 'true';

/**
 * A process that was stopped and goes on finds the request and the end of its connection together; the request comes
 * first. Two turns later the end was seen as well.
 */
async function isStillAwaited({ socket }: IncomingMessage): Promise<boolean> {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return !socket.destroyed && !socket.readableEnded;
}

function readQuery(target: string): Record<string, string> {
  const question = target.indexOf('?');
  const entries = [...new URLSearchParams(question < 0 ? '' : target.slice(question))];
  const query = new Map<string, string>();
  for (const [name, value] of entries) {
    const detail = query.has(name) ? 'stands twice' : name === '__proto__' ? 'is not taken' : null;
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
      errors: [{ pointer: '/Idempotency-Key', detail: 'must be 1 to 128 visible characters, once', in: 'header' }],
    });
  return key;
}

function send(res: ServerResponse, reply: Reply<unknown>, head: boolean): void {
  res.statusCode = reply.status;
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  if (reply.body === undefined) {
    res.end();
    return;
  }
  const body = Buffer.from(JSON.stringify(reply.body));
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.end(head ? undefined : body);
}
