import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The ids that connect the log lines, the response and the events of one request. */
export type RequestContext = { requestId: string; traceparent: string; traceId: string };

const requestIdForm = /^[A-Za-z0-9-]{8,64}$/;
const traceparentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Begins a trace. Uses random UUIDs, because Node caches their random bytes; `randomBytes` takes ten times as long. */
export const newTraceparent = (): string => {
  const spanId = randomUUID();
  return `00-${randomUUID().replaceAll('-', '')}-${spanId.slice(0, 8)}${spanId.slice(24, 32)}-01`;
};

/** The `X-Request-Id` and `traceparent` [W3C Trace Context] of the request if they are valid, or new ones. */
export function readContext(req: IncomingMessage): RequestContext {
  const { 'x-request-id': sent, traceparent: sentTrace } = req.headers;
  const requestId = typeof sent === 'string' && requestIdForm.test(sent) ? sent : randomUUID();
  const traceparent = typeof sentTrace === 'string' && traceparentForm.test(sentTrace) ? sentTrace : newTraceparent();
  return { requestId, traceparent, traceId: traceparent.slice(3, 35) };
}
