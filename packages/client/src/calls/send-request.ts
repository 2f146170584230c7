import { answeredInBetween, CallFailure, readFailure, unreachable } from '../call-failure.ts';
import { timeLimit } from '../time-limit.ts';
import type { CallOptions } from './call-types.ts';
import type { Route } from './route.ts';

/** How long one attempt waits for a response, in milliseconds. The gateway responds within 10 s. */
const timeoutMs = 15_000;
/** How long an upload waits for a response, in milliseconds. The gateway alone may take 30 s to receive the file. */
const uploadTimeoutMs = 45_000;

export type Request = { method: string; url: string; body: string | Blob | undefined; responses: Route['responses'] };
type Input = Readonly<Record<string, unknown>>;

/** Builds a request. Fills in the path's parameters, and puts all other input into the body or query, as the route requires. */
export function buildRequest(baseUrl: string, { endpoint, sends, responses }: Route, input: Input): Request {
  const [method = '', pathTemplate = ''] = endpoint.split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = pathTemplate.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = sends ? '' : new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString();
  return {
    method,
    url: baseUrl + path + (query && `?${query}`),
    body: sends === 'file' ? (rest.get('file') as Blob) : sends && JSON.stringify(Object.fromEntries(rest)),
    responses,
  };
}

type Sending = Request & { headers: Record<string, string>; signal: AbortSignal | undefined; fetch: typeof fetch };

/**
 * Sends the request once.
 * @throws CallFailure, or the abort reason of `signal`
 */
export async function sendRequest({ method, url, body, responses, headers, signal, fetch }: Sending) {
  const limit = timeLimit(body instanceof Blob ? uploadTimeoutMs : timeoutMs, signal);
  try {
    const response = await fetch(url, {
      method,
      // `fetch` sets the content type of a file itself.
      headers: { ...(typeof body === 'string' && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
      signal: limit.signal,
      cache: 'no-store',
      // The server never redirects. If a proxy or network redirects the call, the body must not be sent to the new address.
      redirect: 'manual',
    });
    if (response.status >= 400) throw await readFailure(response);
    const { status } = response;
    const isEmpty = status === responses || (status === 304 && 'if-none-match' in headers);
    return { status, headers: response.headers, body: isEmpty ? undefined : await readBody(response, responses) };
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof CallFailure ? error : unreachable(error);
  } finally {
    limit.end();
  }
}

/**
 * Returns the body of a successful response: a JSON object or array, or a CSV file. Any other body comes from a proxy or network,
 * such as a Wi-Fi sign-in page.
 */
async function readBody(response: Response, responses: Route['responses']): Promise<unknown> {
  const type = (!responses && response.ok && response.headers.get('content-type')) || '';
  const isFile = type.startsWith('text/csv');
  const body: unknown = isFile ? await response.blob() : type.includes('json') ? await response.json() : null;
  if (typeof body !== 'object' || body === null) throw answeredInBetween(response);
  return body;
}

export const conditionalHeaders = ({ ifMatch, ifNoneMatch, accept }: CallOptions): Record<string, string> => ({
  ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
  ...(accept !== undefined && { accept }),
});
