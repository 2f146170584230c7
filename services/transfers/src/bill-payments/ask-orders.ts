import http from 'node:http';
import https from 'node:https';
import { maxIdleMs } from '@comanda/shared/http/idle-connections';
import { buffer } from 'node:stream/consumers';
import {
  claimAccountPayment,
  getAccountPayment,
  settleAccountPayment,
  type AccountPayment,
} from '@comanda/contracts/internal';
import type { AnyEndpoint, BodyOf } from '@comanda/contracts/endpoint';
import { problem, Problem } from '@comanda/contracts/problem';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { signatureHeader, signRequest, type ServiceIdentity } from '@comanda/shared/http/service-signature';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import { createCallTracer, recordResponse, type TracedCall } from '@comanda/shared/http/trace-call';
import type { Tracer } from '@comanda/shared/tracing/tracer';

/** A user's request, whose access token is passed on to orders. */
type BillRequest = Pick<SensitiveCall, 'header' | 'context'>;
/**
 * Calls from transfers to orders.
 * @throws the problem that orders responded with; 503 `service_unavailable` if orders does not respond or the response is not
 * signed by it
 */
export type Orders = {
  getPayment: (id: number, request: BillRequest) => Promise<AccountPayment>;
  claim: (id: number, claim: BodyOf<typeof claimAccountPayment>, request: BillRequest) => Promise<AccountPayment>;
  settle: (id: number, statement: string) => Promise<AccountPayment>;
  close: () => void;
};
type Question = { id: number; body?: object; request: BillRequest | null };

/** Time limit for a response from orders. It leaves time to send the client a 503 within 2 s. */
const timeoutMs = 1000;

/** Creates the calls to orders at `url`, made as `service` over connections that stay open. */
export function askOrders(url: string, { service, tracer }: { service: ServiceIdentity; tracer: Tracer }): Orders {
  const { Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: maxIdleMs });
  const traceCall = createCallTracer(tracer, url);

  async function ask(contract: AnyEndpoint, { id, body, request }: Question): Promise<AccountPayment> {
    const target = contract.path.replace('{id}', String(id));
    const content = Buffer.from(body ? JSON.stringify(body) : '');
    const signed = signRequest(service, { method: contract.method, target, body: content });
    const call = request && traceCall(request.context.traceparent, contract);
    const sent = {
      ...(request && call && headersOf(request, call)),
      ...(body && { 'content-type': 'application/json', 'content-length': String(content.length) }),
      [signatureHeader]: signed.header,
    };
    const posted = post(url + target, { method: contract.method, agent, headers: sent, content });
    const response = await (call ? recordResponse(call.end, posted) : posted).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    const { status, content: text, header } = response;
    if (status >= 500) throw unavailable(new Error(`orders answered ${status}`));
    // An unsigned response may mean that orders rejected this caller's own signature.
    if (!signed.isGenuine({ status, body: text, header }))
      throw unavailable(new Error(`the answer of orders, ${status}, is not signed with SERVICE_SECRET`));
    const members = JSON.parse(text.toString()) as Record<string, unknown>;
    if (status === 200) return members as AccountPayment;
    throw toProblem(status, members);
  }
  return {
    getPayment: (id, request) => ask(getAccountPayment, { id, request }),
    claim: (id, body, request) => ask(claimAccountPayment, { id, body, request }),
    settle: (id, statement) => ask(settleAccountPayment, { id, body: { statement }, request: null }),
    close: () => agent.destroy(),
  };
}

const headersOf = ({ header, context }: BillRequest, { traceparent }: TracedCall): Record<string, string> => ({
  authorization: header('authorization') ?? '',
  'x-request-id': context.requestId,
  traceparent,
});

type Sent = { method: string; agent: http.Agent; headers: Record<string, string>; content: Buffer };

/** Sends a POST request. @throws Error for a network error, or after a second without a response */
async function post(url: string, { content, ...options }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request } = url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  request(url, { ...options, signal }, resolve)
    .on('error', reject)
    .end(content);
  const response = await promise;
  const header = response.headers[signatureHeader.toLowerCase()] as string | undefined;
  return { status: response.statusCode ?? 0, header, content: await buffer(response) };
}

function toProblem(status: number, body: Record<string, unknown>): Problem {
  const { type: _type, title: _title, status: _status, code, request_id: _id, ...members } = body;
  if (typeof code === 'string' && Object.hasOwn(problems, code)) return new Problem(code as ProblemCode, members, {});
  return unavailable(new Error(`orders refused the call: ${status} ${String(code)}`));
}

function unavailable(cause: unknown): Problem {
  const detail = "Bills can't be paid from an account right now, because orders isn't responding.";
  return Object.assign(problem('service_unavailable', { detail }, { 'Retry-After': '1' }), { cause });
}
