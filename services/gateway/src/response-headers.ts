import type { RequestState } from './request-state.ts';

/** Sets the gateway's own headers on a response that does not get them by `writeHead`. May be called more than once. */
export function setGatewayHeaders({ res, responseHeaders }: RequestState): void {
  if (res.headersSent || res.hasHeader('X-Request-Id')) return;
  for (let index = 0; index < responseHeaders.length; index += 2)
    res.appendHeader(responseHeaders[index] ?? '', responseHeaders[index + 1] ?? '');
}
