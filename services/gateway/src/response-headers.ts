import type { RequestState } from './request-state.ts';

/**
 * Sets the gateway's own headers on a response that does not get them through `writeHead`. Call this again if more headers were
 * added.
 */
export function setGatewayHeaders(state: RequestState): void {
  const { res, responseHeaders } = state;
  if (res.headersSent) return;
  for (; state.headersSet < responseHeaders.length; state.headersSet += 2)
    res.appendHeader(responseHeaders[state.headersSet] ?? '', responseHeaders[state.headersSet + 1] ?? '');
}
