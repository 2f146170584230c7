import { Agent } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Plugin } from 'http-proxy-middleware';
import { problem } from '@comanda/shared/contracts/problems';
import { maxBodyBytes } from '@comanda/shared/http/read-body';
import type { PassageResponse } from '../passage.ts';
import { createDeadlines } from './deadlines.ts';
import type { Attempt } from './deadlines.ts';
import { beginAnswer } from './passed-headers.ts';

export type Upstream = {
  /** Sends the request as its headers now are and streams the answer back; 503 at once when too many are under way. */
  forward: (req: IncomingMessage, res: PassageResponse) => void;
  close: () => void;
};
type Options = {
  url: string;
  timeoutMs: number;
  maxInFlight: number;
  /** Told of a failure, once a request; answers it, or breaks the connection when the answer has begun. */
  onFailure: (error: Error, req: IncomingMessage, res: PassageResponse) => void;
};

/** How far a request has come. On the request itself: a WeakMap of all of them costs a fifth of the throughput. */
const underWay = Symbol('under way');
type Forwarded = Attempt & { readonly res: PassageResponse; tries: number; settled: boolean };
type Tracked = IncomingMessage & { [underWay]?: Forwarded };

/**
 * One service behind the gateway, over connections that are kept. What the service breaks is broken for the client
 * too, never completed; a client that goes away ends the service's work.
 */
export function createUpstream({ url, timeoutMs, maxInFlight, onFailure }: Options): Upstream {
  const agent = new (url.startsWith('https:') ? TlsAgent : Agent)({
    keepAlive: true,
    maxFreeSockets: 256,
    scheduling: 'lifo',
  });
  const deadlines = createDeadlines(timeoutMs, (attempt, error) => {
    fail(error, attempt.req);
    attempt.request?.destroy();
  });

  function fail(error: NodeJS.ErrnoException, req: Tracked): void {
    const attempt = req[underWay];
    // Closed: the client went away, or all was said.
    if (!attempt || attempt.settled || attempt.res.closed) return;
    const { res } = attempt;
    if (isStale(error, attempt) && !res.headersSent && !res.destroyed) {
      attempt.tries++;
      void proxy(req, res);
      return;
    }
    attempt.settled = true;
    onFailure(error, req, res);
    req.unpipe();
    req.resume();
  }

  const answerWithUs: Plugin = (server) => {
    server.on('error', (error, req) => {
      if (req) fail(error, req);
    });
    server.on('econnreset', (error, req) => fail(error, req));
    server.on('proxyReq', (request, req: Tracked) => {
      const attempt = req[underWay];
      if (!attempt) return;
      begin(attempt, request);
      // Without a listener Node would end it without an error.
      request.once('upgrade', (_answer, socket) => {
        socket.destroy();
        fail(new Error('the service switched protocols'), req);
      });
    });
    server.on('proxyRes', (answer, req: Tracked) => {
      const attempt = req[underWay];
      if (!attempt || attempt.settled || attempt.res.closed) return;
      try {
        hear(attempt, answer);
      } catch (error) {
        fail(error as Error, req);
        answer.destroy();
      }
    });
  };
  const proxy = createProxyMiddleware({
    target: url,
    agent,
    changeOrigin: true,
    // HPM's own way answers failures in plain text, completes what was broken and hands on the service's headers.
    selfHandleResponse: true,
    ejectPlugins: true,
    plugins: [answerWithUs],
  });

  return {
    forward: (req: Tracked, res) => {
      if (deadlines.count() >= maxInFlight) throw problem('service_unavailable', {}, { 'Retry-After': '1' });
      const now = performance.now();
      const attempt = { req, res, request: null, begunAt: now, movedAt: now, stalls: 0, tries: 1, settled: false };
      req[underWay] = attempt;
      deadlines.watch(attempt);
      res.once('close', () => deadlines.forget(attempt));
      void proxy(req, res);
    },
    close: () => {
      deadlines.close();
      agent.destroy();
    },
  };
}

/** A kept connection that the service closed while a request without effects was being put on it: worth a new one. */
const isStale = (error: NodeJS.ErrnoException, { request, tries }: Forwarded): boolean =>
  tries === 1 &&
  request?.reusedSocket === true &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Called when the request has its connection, in the turn in which the body is piped into it. */
function begin(attempt: Forwarded, request: ClientRequest): void {
  attempt.request = request;
  const { req } = attempt;
  if (req.complete) return;
  req.once('end', () => (attempt.movedAt = performance.now()));
  if (req.headersDistinct['transfer-encoding'] === undefined) return;
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) request.destroy(problem('body_too_large'));
  });
}

function hear(attempt: Forwarded, answer: IncomingMessage): void {
  const moved = (): void => {
    attempt.movedAt = performance.now();
    attempt.stalls = 0;
  };
  moved();
  beginAnswer(answer, attempt.res);
  answer.on('data', moved);
  answer.pipe(attempt.res);
}
