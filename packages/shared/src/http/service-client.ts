import type { AnyEndpoint, BodyOf, ParamsOf, ResponseOf } from '@comanda/contracts/endpoint';
import { Problem, unavailable } from '@comanda/contracts/problem';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import type { Tracer } from '../tracing/tracer.ts';
import { createServiceConnection, type ServiceResponse } from './service-connection.ts';
import type { ServiceIdentity } from './service-signature.ts';
import { createCallTracer, recordResponse } from './trace-call.ts';

/** A user's request. A call on behalf of the user passes on its access token, its id and its trace. */
export type UserRequest = {
  header: (name: string) => string | undefined;
  context: { requestId: string; traceparent: string };
};
type Input = { params?: object; body?: unknown };
type InputTo<E> = Input &
  (keyof ParamsOf<E> extends never ? unknown : { params: ParamsOf<E> }) &
  (BodyOf<E> extends undefined ? unknown : { body: BodyOf<E> });
/** Calls another service's internal endpoints, as their contracts describe them. */
export type ServiceClient = {
  /**
   * Calls the endpoint, on behalf of a user or, with null, of this service only.
   * @throws the other service's problem; 503 `service_unavailable` if it does not respond in time, reports an error of its own or
   * a problem that this release does not know, or if another server responds
   */
  call: <E extends AnyEndpoint>(
    contract: E,
    input: InputTo<E>,
    onBehalfOf: UserRequest | null,
  ) => Promise<ResponseOf<E>>;
  close: () => void;
};
type Options = {
  url: string;
  /** This service. */
  service: ServiceIdentity;
  tracer: Tracer;
  /** How long a call may take. 1500 ms or less leaves time to send the client a 503 within 2 s. */
  timeoutMs: number;
  /** Tells the user in the 503 what doesn't work while the other service is unavailable. */
  unavailable?: string;
};

export function createServiceClient({ url, service, tracer, timeoutMs, unavailable: detail }: Options): ServiceClient {
  const { send, close } = createServiceConnection(url, service);
  const traceCall = createCallTracer(tracer, url);
  const fail = (cause: unknown): Problem => unavailable(detail === undefined ? {} : { detail }, cause);

  async function sendTraced(
    contract: AnyEndpoint,
    { params = {}, body }: Input,
    onBehalfOf: UserRequest | null,
  ): Promise<ServiceResponse> {
    const request = {
      method: contract.method,
      target: fillIn(contract.path, params),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      deadline: performance.now() + timeoutMs,
    };
    if (!onBehalfOf) return send(request);
    const { header, context } = onBehalfOf;
    const { traceparent, end } = traceCall(context.traceparent, contract);
    const headers = {
      authorization: header('authorization') ?? '',
      'x-request-id': context.requestId,
      traceparent,
    };
    return recordResponse(end, send({ ...request, headers }));
  }

  return {
    call: async <E extends AnyEndpoint>(contract: E, input: InputTo<E>, onBehalfOf: UserRequest | null) => {
      const { status, body } = await sendTraced(contract, input, onBehalfOf).catch((cause: unknown) => {
        throw fail(cause);
      });
      // Both services share the contract, and the signature proves that the other one has sent the body.
      if (status === 200) return body as ResponseOf<E>;
      const what = `${contract.service} responded to ${contract.method} ${contract.path} with ${status}`;
      throw problemIn(body) ?? fail(new Error(`${what} ${String(body['code'])}`));
    },
    close,
  };
}

const fillIn = (path: string, params: object): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name as keyof typeof params])));

/** Returns the problem in a response's body; null if this release does not know its code. */
function problemIn(body: Record<string, unknown>): Problem | null {
  const { type: _type, title: _title, status: _status, code, request_id: _id, ...members } = body;
  return typeof code === 'string' && Object.hasOwn(problems, code)
    ? new Problem(code as ProblemCode, members, {})
    : null;
}
