import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { TraceCall, TracedCall } from '@comanda/shared/http/trace-call';
import type { RequestState } from '../request-state.ts';
import { serviceHeaders } from './service-headers.ts';

/** A request sent to a service. undici adds the body's length. */
type OutgoingRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
};

/** A request that a service is working on. Times come from `performance.now()`. */
export type ProxiedRequest = {
  readonly state: RequestState;
  readonly outgoing: OutgoingRequest;
  readonly call: TracedCall;
  readonly startedAt: number;
  /** Controls the request to the service; null until the request has a connection. */
  controller: Dispatcher.DispatchController | null;
  /** The time at which the service last sent bytes. */
  lastActivityAt: number;
  /** How many time limits in a row have passed while the client read nothing. */
  stalls: number;
  attempts: number;
  failed: boolean;
};

export function createProxiedRequest(state: RequestState, traceCall: TraceCall): ProxiedRequest {
  const now = performance.now();
  const { context } = state.observed;
  const call = traceCall(context.traceparent, calledEndpoint(state));
  return {
    state,
    outgoing: outgoingRequest(state, call),
    call,
    startedAt: now,
    controller: null,
    lastActivityAt: now,
    stalls: 0,
    attempts: 1,
    failed: false,
  };
}

/** Returns the called endpoint. Only requests for an endpoint reach a service. */
const calledEndpoint = ({ route, req }: RequestState) => ({
  method: req.method ?? '',
  path: route.kind === 'endpoint' ? route.endpoint.path : '',
});

const outgoingRequest = (state: RequestState, { traceparent }: TracedCall): OutgoingRequest => ({
  method: state.req.method ?? '',
  path: state.target,
  headers: serviceHeaders(state, traceparent),
  body: state.body,
});
