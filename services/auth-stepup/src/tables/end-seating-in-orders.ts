import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { endSeating as contract } from '@comanda/contracts/internal';
import { problem } from '@comanda/contracts/problem';
import { signatureHeader, signRequest, type ServiceIdentity } from '@comanda/shared/http/service-signature';
import { createCallTracer, recordResponse } from '@comanda/shared/http/trace-call';
import type { Tracer } from '@comanda/shared/tracing/tracer';

/** A staff member's request that ends a seating. The request's access token is passed on to the orders service. */
export type EndingRequest = {
  header: (name: string) => string | undefined;
  context: { requestId: string; traceparent: string };
};
/**
 * Ends a seating in the orders service: after this call returns, no order is accepted for the seating. The call can be repeated.
 * @throws 503 `service_unavailable`: the seating may or may not have ended
 */
export type EndSeatingInOrders = (
  /** `into`: the seating that the guests join, if any. */
  what: { seating: number; table: string; into?: number },
  request: EndingRequest,
) => Promise<void>;

/** How long a call may take, in milliseconds. Leaves time to send the client a 503 within 2 s. */
const timeoutMs = 1500;

type Options = { url: string; service: ServiceIdentity; tracer: Tracer };

/**
 * Creates the function that ends seatings in the orders service at `url`. Tables are closed rarely, so no connection is kept
 * open.
 */
export function endSeatingInOrders({ url, service, tracer }: Options): EndSeatingInOrders {
  const traceCall = createCallTracer(tracer, url);
  return async (what, { header, context }) => {
    const { method, path: target } = contract;
    const body = Buffer.from(JSON.stringify(what));
    const signed = signRequest(service, { method, target, body });
    const call = traceCall(context.traceparent, contract);
    const headers = {
      authorization: header('authorization') ?? '',
      'content-type': 'application/json',
      'content-length': body.length,
      [signatureHeader]: signed.header,
      'x-request-id': context.requestId,
      traceparent: call.traceparent,
    };
    try {
      const response = await recordResponse(call.end, post(url + target, { body, headers }));
      const { status, header: signature, content } = response;
      if (status !== 200) throw new Error(`orders answered ${status}`);
      if (!signed.isGenuine({ status, body: content, header: signature }))
        throw new Error('the answer of orders is not signed with SERVICE_SECRET');
    } catch (cause) {
      const detail = "The table wasn't changed, because orders isn't responding.";
      throw Object.assign(problem('service_unavailable', { detail }, { 'Retry-After': '1' }), { cause });
    }
  };
}

/** Sends a POST request. @throws a network error, or a timeout after 1.5 s without a response */
async function post(url: string, { body, headers }: { body: Buffer; headers: http.OutgoingHttpHeaders }) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request } = url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  request(url, { method: 'POST', signal, headers }, resolve).on('error', reject).end(body);
  const response = await promise;
  const header = response.headers[signatureHeader.toLowerCase()] as string | undefined;
  return { status: response.statusCode ?? 0, header, content: await buffer(response) };
}
