import { readFailure, unreachable } from './failure.ts';
import type { Route } from './route.ts';
import type { CallOptions } from './typing.ts';

/** The longest that one try waits for its answer, in milliseconds: the gateway answers within 10 s. */
const timeoutMs = 15_000;

export type Request = { method: string; url: string; body: string | undefined };
type Values = Readonly<Record<string, unknown>>;

/** Puts `input` where the route wants it: into the path, then into the body, or without one into the query. */
export function toRequest(base: string, { at, takes }: Route, input: Values): Request {
  const [method = '', path = ''] = at.split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = takes ? '' : new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString();
  return {
    method,
    url: base + filled + (query && `?${query}`),
    body: takes && JSON.stringify(Object.fromEntries(rest)),
  };
}

type Sent = Request & { headers: Record<string, string>; signal: AbortSignal | undefined; fetch: typeof fetch };

/**
 * One try.
 * @throws CallFailure
 */
export async function exchange({ method, url, body, headers, signal, fetch }: Sent) {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      cache: 'no-store',
    });
    if (answer.status >= 400) throw await readFailure(answer);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof Error && error.name === 'CallFailure' ? error : unreachable(error);
  }
}

export const headersOf = ({ ifMatch, ifNoneMatch }: CallOptions): Record<string, string> => ({
  ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
});
