import { Agent } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { problem } from '@comanda/shared/contracts/problems';
import { maxBodyBytes } from '@comanda/shared/http/read-body';
import { UpstreamLate, UpstreamUnreachable } from './upstream-failure.ts';
import { beginAnswer } from './passed-headers.ts';

const connectTimeoutMs = 2000;
/** How many times in a row a client may take nothing for `timeoutMs` before it is cut off. */
const maxStalls = 6;

/** How far a request has come; on the request itself, because a WeakMap of all of them costs a fifth of the throughput. */
type Progress = { attempt: ClientRequest; settled: boolean; tries: number };
const progress = Symbol('progress');
type Tracked = IncomingMessage & { [progress]?: Progress };

export type Upstream = {
  /** Sends the request as its headers now are and streams the answer back; `503` at once when too many are under way. */
  forward: (req: IncomingMessage, res: ServerResponse) => void;
  close: () => void;
};
type Options = {
  url: string;
  timeoutMs: number;
  maxInFlight: number;
  /** Told of every failure, once a request; answers it, or breaks the connection when the answer has begun. */
  onFailure: (error: Error, req: IncomingMessage, res: ServerResponse) => void;
};

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
  let inFlight = 0;

  function fail(error: NodeJS.ErrnoException, req: Tracked, res: ServerResponse | Socket): void {
    // Closed: the client went away, or all was said.
    const tracked = req[progress];
    if (!('writeHead' in res) || res.closed || tracked?.settled) return;
    if (tracked && isStale(error, tracked) && !res.headersSent && !res.destroyed) {
      void proxy(req, res);
      return;
    }
    if (tracked) tracked.settled = true;
    onFailure(error, req, res);
    req.unpipe();
    req.resume();
  }

  const proxy = createProxyMiddleware({
    target: url,
    agent,
    changeOrigin: true,
    // HPM's way hands the service's connection headers on.
    selfHandleResponse: true,
    // HPM's own handlers answer in plain text and complete what was broken.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, req, res) => {
          if (req && res) fail(error, req, res);
        });
        server.on('econnreset', (error, req, res) => fail(error, req, res));
        server.on('proxyReq', (attempt, req, res) => {
          const before = (req as Tracked)[progress];
          (req as Tracked)[progress] = { attempt, settled: false, tries: (before?.tries ?? 0) + 1 };
          // Without a listener Node would end it without an error.
          attempt.once('upgrade', (_answer, socket) => {
            socket.destroy();
            fail(new Error('the service switched protocols'), req, res);
          });
          limitTime({ attempt, req, res, timeoutMs });
          limitBody(attempt, req);
        });
        server.on('proxyRes', (answer, req, res) => {
          if (res.closed || (req as Tracked)[progress]?.settled) return;
          try {
            beginAnswer(answer, res);
            answer.pipe(res);
          } catch (error) {
            fail(error as Error, req, res);
            answer.destroy();
          }
        });
      },
    ],
  });

  return {
    forward: (req, res) => {
      if (inFlight >= maxInFlight) throw problem('service_unavailable', {}, { 'Retry-After': '1' });
      inFlight++;
      res.once('close', () => inFlight--);
      void proxy(req, res);
    },
    close: () => agent.destroy(),
  };
}

/** A kept connection that the service closed while a request without effects was being put on it: worth a new one. */
const isStale = (error: NodeJS.ErrnoException, { attempt, tries }: Progress): boolean =>
  tries === 1 &&
  attempt.reusedSocket &&
  (attempt.method === 'GET' || attempt.method === 'HEAD') &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE');

type Watched = { attempt: ClientRequest; req: IncomingMessage; res: ServerResponse; timeoutMs: number };

/** Ends an attempt whose service stays silent. While it is the client who keeps us waiting, the service has time. */
function limitTime({ attempt, req, res, timeoutMs }: Watched): void {
  let stalls = 0;
  const timer = setTimeout(() => {
    const clientIsSlow = !req.complete || (res.writableNeedDrain && stalls++ < maxStalls);
    if (clientIsSlow) timer.refresh();
    else attempt.destroy(new UpstreamLate(`no answer in ${timeoutMs} ms`));
  }, timeoutMs);
  const goOn = (): void => {
    stalls = 0;
    timer.refresh();
  };
  if (!req.complete) req.once('end', goOn);
  attempt.once('response', (answer: IncomingMessage) => {
    goOn();
    answer.on('data', goOn);
  });
  attempt.once('close', () => clearTimeout(timer));
  const { socket } = attempt;
  if (!socket?.connecting) return;
  const connecting = setTimeout(
    () => attempt.destroy(new UpstreamUnreachable(`no connection in ${connectTimeoutMs} ms`)),
    connectTimeoutMs,
  );
  const connected = (): void => clearTimeout(connecting);
  socket.once('connect', connected);
  attempt.once('close', connected);
}

/** Counts a body that did not say its length, as it passes. */
function limitBody(attempt: ClientRequest, req: IncomingMessage): void {
  if (req.headersDistinct['transfer-encoding'] === undefined) return;
  let size = 0;
  // The pipe into the attempt is laid in this very turn, before anything flows.
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) attempt.destroy(problem('body_too_large'));
  });
}
