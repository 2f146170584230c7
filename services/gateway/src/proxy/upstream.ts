import type { IncomingMessage } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Plugin } from 'http-proxy-middleware';
import { errors, Pool } from 'undici';
import { problem } from '@comanda/contracts/problems';
import type { PassageResponse } from '../passage.ts';
import { connectTimeoutMs, createDeadlines } from './deadlines.ts';
import { answerTo, drainBody, outgoing } from './exchange.ts';
import type { Exchange } from './exchange.ts';

export type Upstream = {
  /** Sends the request as its headers now are and streams the answer back; 503 at once when too many are under way. */
  forward: (req: IncomingMessage, res: PassageResponse) => void;
  close: () => Promise<void>;
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
type Tracked = IncomingMessage & { [underWay]?: Exchange };

/**
 * One service behind the gateway, over connections that are kept. What the service breaks is broken for the client
 * too, never completed; a client that goes away ends the service's work.
 */
export function createUpstream({ url, timeoutMs, maxInFlight, onFailure }: Options): Upstream {
  // Its own clocks are coarse, and do not know when it is the client who keeps us waiting: `deadlines` does.
  const pool = new Pool(url, { pipelining: 1, connectTimeout: connectTimeoutMs, headersTimeout: 0, bodyTimeout: 0 });
  const deadlines = createDeadlines<Exchange>(timeoutMs, (exchange, error) => {
    fail(error, exchange);
    exchange.service?.abort(error);
  });

  function fail(error: Error, exchange: Exchange): void {
    const { req, res } = exchange;
    // Closed: the client went away, or all was said.
    if (exchange.settled || res.closed) return;
    if (isStale(error, exchange)) {
      exchange.tries++;
      send(exchange);
      return;
    }
    exchange.settled = true;
    onFailure(error, req, res);
    drainBody(req);
  }
  function send(exchange: Exchange): void {
    pool.dispatch(
      outgoing(exchange),
      answerTo(exchange, (error) => fail(error, exchange)),
    );
  }

  // In place of its own transport, which carries half as much; its events and options of requests have no effect then.
  const throughUndici: Plugin = (server) => {
    server.before('web', '', (req) => {
      const exchange = (req as Tracked)[underWay];
      if (exchange) send(exchange);
      return true;
    });
    server.on('error', (error, req?: Tracked) => {
      const exchange = req?.[underWay];
      if (exchange) fail(error, exchange);
    });
  };
  const proxy = createProxyMiddleware({ target: new URL(url), ejectPlugins: true, plugins: [throughUndici] });

  return {
    forward: (req: Tracked, res) => {
      if (deadlines.count() >= maxInFlight) throw problem('service_unavailable', {}, { 'Retry-After': '1' });
      const now = performance.now();
      const exchange = { req, res, service: null, begunAt: now, movedAt: now, stalls: 0, tries: 1, settled: false };
      req[underWay] = exchange;
      watch(exchange);
      void proxy(req, res);
    },
    close: async () => {
      deadlines.close();
      await pool.destroy();
    },
  };

  function watch(exchange: Exchange): void {
    deadlines.watch(exchange);
    exchange.res.once('close', () => {
      deadlines.forget(exchange);
      if (!exchange.res.writableFinished) exchange.service?.abort(new Error('the client went away'));
    });
  }
}

/** A kept connection that the service closed while a request without effects was being put on it: worth a new one. */
const isStale = (error: NodeJS.ErrnoException, { req, res, tries }: Exchange): boolean =>
  tries === 1 &&
  !res.headersSent &&
  (req.method === 'GET' || req.method === 'HEAD') &&
  (error instanceof errors.SocketError || error.code === 'ECONNRESET' || error.code === 'EPIPE');
