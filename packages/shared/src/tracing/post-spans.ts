import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { http } from '../runtime/node-http.ts';

/**
 * The result of a request to the collector. With `later`, the same request may succeed later. `afterMs` is the delay that the
 * collector requests, in milliseconds; null if it requests none.
 */
export type HttpResponse =
  | { kind: 'taken'; rejected: number }
  | { kind: 'refused'; status: number }
  | { kind: 'later'; reason: string; afterMs: number | null };

const timeoutMs = 10_000;
/** The maximum number of bytes of a response that are read. */
const maxResponseBytes = 64 * 1024;
/** The HTTP statuses after which a request may be retried [OTLP 1]. */
const retryable = new Set([429, 502, 503, 504]);

/**
 * Returns a function that posts one body to a collector over a persistent connection. It never rejects and takes at most 10 s.
 * `close` aborts a running request.
 */
export function createPoster(url: URL, headers: Readonly<Record<string, string>>) {
  const { Agent, request } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  async function post(text: string): Promise<HttpResponse> {
    const body = Buffer.from(text);
    const { promise, resolve } = Promise.withResolvers<HttpResponse>();
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    });
    const fail = (error: NodeJS.ErrnoException): void =>
      resolve({ kind: 'later', reason: error.code ?? error.message, afterMs: null });
    sent.on('response', (response) => void readResponse(response).then(resolve, fail));
    sent.on('error', fail);
    sent.end(body);
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs).unref();
    const answer = await promise;
    clearTimeout(timer);
    return answer;
  }
  return Object.assign(post, { close: () => agent.destroy() });
}

async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const { statusCode: status = 0, headers } = response;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > maxResponseBytes) break; // breaking out of the loop closes the connection
  }
  if (status >= 200 && status < 300) return { kind: 'taken', rejected: rejectedSpans(text) };
  if (!retryable.has(status)) return { kind: 'refused', status };
  return { kind: 'later', reason: `status ${status}`, afterMs: retryAfterMs(headers['retry-after']) };
}

function rejectedSpans(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } };
    return Math.max(0, Number(partialSuccess?.rejectedSpans ?? 0) || 0);
  } catch {
    return 0; // there is no body, or it is in the protobuf format
  }
}

/** Parses `Retry-After` in seconds. Ignores dates. */
const retryAfterMs = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null;
