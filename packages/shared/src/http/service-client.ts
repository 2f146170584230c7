import type { AnyEndpoint, BodyOf, ParamsOf, ResponseOf } from '@comanda/contracts/endpoint';
import { Problem, unavailable } from '@comanda/contracts/problem';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import type { Tracer } from '../tracing/tracer.ts';
import { createServiceConnection, type ServiceResponse } from './service-connection.ts';
import type { ServiceIdentity } from './service-signature.ts';
import { createCallTracer, recordResponse } from './trace-call.ts';

/** The parts of a user's request that a call on the user's behalf passes on: the access token, the request id and the trace. */
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
   * Calls the endpoint on behalf of a user or, if the user's request is null, as this service itself.
   * @throws the other service's problem; 503 `service_unavailable` if the service does not respond in time, has an internal
   * error, returns a problem that this release does not know, or if the response is not from that service
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
  /** The identity of this service, which signs the calls. */
  service: ServiceIdentity;
  tracer: Tracer;
  /** How long a call may take, in milliseconds. With at most 1500 ms, there is time to send the client a 503 within 2 s. */
  timeoutMs: number;
  /** The `detail` of the 503, which says what doesn't work while the other service is unavailable. */
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
      // The body has this type, because both services share the contract and the signature proves that the other service sent the
      // body.
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
