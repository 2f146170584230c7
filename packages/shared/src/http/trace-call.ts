import type { Tracer } from '../tracing/tracer.ts';

/** A call of another service. */
type CalledEndpoint = {
  method: string;
  /** As its contract has it. */
  path: string;
};
export type TracedCall = {
  /** The header of the call. */
  readonly traceparent: string;
  /** To be called once: the status of the answer, or why there is none. */
  end: (result: number | Error) => void;
};
/** Begins the span of a call, below the one that `traceparent` names. */
export type TraceCall = (traceparent: string, called: CalledEndpoint) => TracedCall;

/** Returns a function that records the calls of the service at `url`. A call whose trace is not recorded is passed on as it is. */
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

/** The code or the class of an error. Its message may say what was sent. */
const typeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name;

/** The answer, after `end` was told of it. */
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
