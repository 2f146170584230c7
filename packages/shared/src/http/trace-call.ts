import type { Tracer } from '../tracing/tracer.ts';

/** An endpoint of another service. */
type CalledEndpoint = {
  method: string;
  /** The path as in its contract. */
  path: string;
};
export type TracedCall = {
  /** The call's `traceparent` header. */
  readonly traceparent: string;
  /** Ends the span. Must be called once, with the status of the response or the error. */
  end: (result: number | Error) => void;
};
/** Starts the span of a call, below the one that `traceparent` names. */
export type TraceCall = (traceparent: string, called: CalledEndpoint) => TracedCall;

/**
 * Returns a function that records calls to the service at `url`. If the trace is not recorded, `traceparent` is passed on
 * unchanged.
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

/** Returns an error's code or class. The message may contain what was sent. */
const typeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name;

/** Returns the response after passing its status to `end`. */
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
