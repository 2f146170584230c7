import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { Dispatcher } from 'undici';
import { problem } from '@comanda/contracts/problems';
import { maxBodyBytes } from '@comanda/shared/http/read-body';
import type { PassageResponse } from '../passage.ts';
import type { Attempt } from './deadlines.ts';
import { beginAnswer } from './passed-headers.ts';

/** One request on its way to a service and back. */
export type Exchange = Attempt & { readonly res: PassageResponse; tries: number; settled: boolean };

/** The request as its headers now are. The body is streamed, in chunks where it came in chunks. */
export function outgoing(exchange: Exchange): Dispatcher.DispatchOptions {
  const { method = '', url: path = '', headers } = exchange.req;
  return { path, method, headers, body: bodyOf(exchange) };
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE']);

function bodyOf(exchange: Exchange): PassThrough | null {
  const { req } = exchange;
  const { 'content-length': length } = req.headers;
  if (bodiless.has(req.method ?? '') || length === '0') return null;
  if (length === undefined && req.headersDistinct['transfer-encoding'] === undefined) return null;
  req.once('end', () => (exchange.movedAt = performance.now()));
  if (length === undefined) refuseEndless(exchange);
  // Whatever ends on the service's side, the client's own connection is not to be destroyed with it.
  return req.pipe(new PassThrough());
}

function refuseEndless(exchange: Exchange): void {
  let size = 0;
  exchange.req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) exchange.service?.abort(problem('body_too_large'));
  });
}

/** Reads what is left of a body that nobody wants any more, so that the connection is good for the next request. */
export function drainBody(req: IncomingMessage): void {
  if (req.complete) return;
  req.unpipe();
  req.resume();
}

/** What the service says goes to the client as it comes, no faster than the client takes it. */
export function answerTo(exchange: Exchange, onError: (error: Error) => void): Dispatcher.DispatchHandler {
  const { req, res } = exchange;
  const moved = (): void => {
    exchange.movedAt = performance.now();
    exchange.stalls = 0;
  };
  return {
    onRequestStart: (service) => {
      exchange.service = service;
      if (exchange.settled || res.closed) service.abort(new Error('nobody waits for it any more'));
    },
    onResponseStart: (_service, statusCode, headers) => {
      // Interim answers [RFC 9110, 15.2] are for this hop.
      if (statusCode >= 100 && statusCode < 200) return;
      moved();
      beginAnswer({ headers, statusCode }, res);
    },
    onResponseData: (service, chunk) => {
      moved();
      if (res.write(chunk)) return;
      service.pause();
      res.once('drain', () => service.resume());
    },
    onResponseEnd: () => {
      res.end();
      drainBody(req);
    },
    onResponseError: (_service, error) => onError(error),
  };
}
