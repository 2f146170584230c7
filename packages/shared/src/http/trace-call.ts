import type { Tracer } from '../tracing/tracer.ts';

/** An endpoint of another service. */
type CalledEndpoint = {
  method: string;
  /** The endpoint's path, as in its contract. */
  path: string;
};
export type TracedCall = {
  /** The value for the call's `traceparent` header. */
  readonly traceparent: string;
  /** Ends the span. Must be called exactly once, with the response's status or with the error. */
  end: (result: number | Error) => void;
};
/** Starts a span for a call, as a child of the span that `traceparent` names. */
export type TraceCall = (traceparent: string, called: CalledEndpoint) => TracedCall;

/**
 * Returns a function that records calls to the service at `url`. For a trace that is not recorded, the call gets the same
 * `traceparent`.
 */
export function createCallTracer(tracer: Tracer, url: string): TraceCall {
  const { hostname, port, protocol } = new URL(url);
  const server = {
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
  return (traceparent, { method, path }) => {
    const span = tracer.startSpan(traceparent, { kind: 'client' });
    if (!span) return { traceparent, end: () => undefined };
    return {
      traceparent: span.traceparent,
      end: (result) => {
        const status = typeof result === 'number' ? result : undefined;
        const error = typeof result === 'number' ? (result >= 400 ? String(result) : null) : typeOf(result);
        const call = { 'http.request.method': method, 'url.template': path, 'http.response.status_code': status };
        span.end({ name: `${method} ${path}`, attributes: { ...call, ...server }, error });
      },
    };
  };
}

/** Returns an error's code or class name, but not its message, which may contain data that was sent. */
const typeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name;

/** Ends a call's span with the response's status, or with the error. Returns the response. */
export async function recordResponse<A extends { status: number }>(
  end: TracedCall['end'],
  response: Promise<A>,
): Promise<A> {
  try {
    end((await response).status);
  } catch (error) {
    end(error instanceof Error ? error : new Error('no answer'));
  }
  return response;
}
