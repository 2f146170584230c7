import { type Dispatcher, errors } from 'undici';
import { orderIn } from '@comanda/shared/http/observe';
import type { Logger } from '@comanda/shared/runtime/logger';
import { sendFailure } from '../send-failure.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { responseHeaders } from './service-headers.ts';
import { upstreamProblem } from './upstream-failure.ts';

export type Transport = { dispatcher: Dispatcher; logger: Logger };

/**
 * Sends a request to its service and streams the response to the client. If the service's response is cut off, the client's
 * response is cut off too, and is never completed.
 */
export function sendRequest(transport: Transport, proxied: ProxiedRequest): void {
  transport.dispatcher.dispatch(proxied.outgoing, responseHandler(transport, proxied));
}

/**
 * Sends the failure to the client, at most once. If the service had just closed a kept-alive connection, a read is retried once
 * instead, but a write never is.
 */
export function failRequest(transport: Transport, proxied: ProxiedRequest, error: Error): void {
  const { state } = proxied;
  // `closed` means that the client has left or has received the complete response.
  if (proxied.failed || state.res.closed) return;
  if (isStaleConnection(proxied, error)) {
    proxied.attempts++;
    transport.dispatcher.dispatch(proxied.outgoing, responseHandler(transport, proxied));
    return;
  }
  proxied.failed = true;
  const failure = upstreamProblem(error, proxied.outgoing.method);
  sendFailure(state, { error: failure, cause: error, logger: transport.logger });
}

function isStaleConnection({ state, outgoing, attempts }: ProxiedRequest, error: NodeJS.ErrnoException): boolean {
  const isRead = outgoing.method === 'GET' || outgoing.method === 'HEAD';
  const isConnectionClosed =
    error instanceof errors.SocketError || error.code === 'ECONNRESET' || error.code === 'EPIPE';
  return attempts === 1 && isRead && isConnectionClosed && !state.res.headersSent;
}

/** Streams the response to the client, no faster than the client reads it. */
function responseHandler(transport: Transport, proxied: ProxiedRequest): Dispatcher.DispatchHandler {
  const { state } = proxied;
  const { res } = state;
  const recordActivity = (): void => {
    proxied.lastActivityAt = performance.now();
    proxied.stalls = 0;
  };
  return {
    onRequestStart: (controller) => {
      proxied.controller = controller;
      if (proxied.failed || res.closed) controller.abort(new Error('Nobody waits for the response.'));
    },
    onResponseStart: (_controller, statusCode, headers) => {
      // Interim responses [RFC 9110, 15.2] are meant for the gateway itself.
      if (statusCode >= 100 && statusCode < 200) return;
      recordActivity();
      if (statusCode < 200 || statusCode > 599) throw new Error(`The service answered with status ${statusCode}.`);
      state.observed.orderId ??= orderIn(String(headers['location']));
      res.writeHead(statusCode, responseHeaders(state, headers));
    },
    onResponseData: (controller, chunk) => {
      recordActivity();
      if (res.write(chunk)) return;
      controller.pause();
      res.once('drain', () => controller.resume());
    },
    onResponseEnd: () => void res.end(),
    onResponseError: (_controller, error) => failRequest(transport, proxied, error),
  };
}
