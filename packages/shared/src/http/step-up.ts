import http from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { problem } from '@comanda/contracts/problem';
import { problems } from '@comanda/contracts/problems';
import type { ProblemCode } from '@comanda/contracts/problems';
import type { AuthorizationDetails, ConsumeStepUp } from '@comanda/contracts/security';
import type { IdempotentRequest } from './request-fingerprint.ts';

declare const consentBrand: unique symbol;
/** Proof that a step-up token was spent. Only `createConsume` returns one, so a handler that forgets it does not compile. */
export type Consent = Spent & { readonly [consentBrand]: true };
/** What auth-stepup returns about a spent token. `pinVersion` is the version of the PIN that was entered for it. */
export type Spent = {
  jti: string;
  pinVersion: number;
  /** False if the same call, identified by its idempotency key, had spent it before. */
  first: boolean;
};
/** A request to an endpoint whose contract names a step-up key. */
export type SensitiveCall = {
  caller: { userId: number };
  route: { method: string; path: string; stepUp: string | undefined };
  idempotency: IdempotentRequest | null;
  header: (name: string) => string | undefined;
  context: { requestId: string; traceparent: string };
};
/**
 * Spends the step-up token of the request. A use case calls it once, after every check that could refuse the request and
 * before the write. `details` describes the request [RFC 9396]; they are compared with the details in the token.
 * @throws a `step_up_…` problem; 503 `service_unavailable` if auth-stepup cannot be reached
 */
export type Consume = (call: SensitiveCall, what: { details: AuthorizationDetails }) => Promise<Consent>;
/** Asks auth-stepup to spend the token. It identifies the user by the `Authorization` header of `call`. */
export type AskConsent = (
  body: ConsumeStepUp,
  call: Pick<SensitiveCall, 'caller' | 'header' | 'context'>,
) => Promise<Spent>;

const tokenForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export const createConsume =
  (ask: AskConsent): Consume =>
  async (call, { details }) => {
    const { route, idempotency } = call;
    if (route.stepUp === undefined) throw new Error(`${route.method} ${route.path} has no step-up key in its contract`);
    const token = call.header('x-step-up-token');
    if (token === undefined || token === '') throw problem('step_up_required');
    // Rejects two tokens that Node has joined with a comma, too.
    if (token.length > 4096 || !tokenForm.test(token)) throw problem('step_up_invalid');
    const spent = await ask(
      {
        step_up_token: token,
        endpoint_key: route.stepUp,
        ...(idempotency && { call_hash: idempotency.fingerprint }),
        details,
      },
      call,
    );
    return spent as Consent;
  };

/** The client must get 503 within 2 s. A token is not spent after the service has closed its connection. */
const timeoutMs = 1500;
const consentUnavailable = () =>
  problem('service_unavailable', { detail: 'Step-up tokens cannot be checked now.' }, { 'Retry-After': '1' });

/** Asks auth-stepup at `url`, over connections that stay open. */
export function askAuthStepup(url: string): AskConsent & { close: () => void } {
  const target = new URL('/internal/step-up/consume', url);
  const { Agent, request } = target.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32 });
  // Parsed once, and a timer instead of `AbortSignal.timeout` below: together they took a fifth of the time of a call.
  const { hostname, port, path } = urlToHttpOptions(target);
  const requestOptions = { hostname, port, path, method: 'POST', agent };
  const ask: AskConsent = async (body, { header, context }) => {
    const content = Buffer.from(JSON.stringify(body));
    const headers = {
      authorization: header('authorization') ?? '',
      'content-type': 'application/json',
      'content-length': content.length,
      'x-request-id': context.requestId,
      traceparent: context.traceparent,
    };
    const response = await sendRequest(request({ ...requestOptions, headers }), content).catch(() => {
      throw consentUnavailable(); // the metrics and the log of auth-stepup show the cause
    });
    return readResponse(response);
  };
  return Object.assign(ask, { close: () => agent.destroy() });
}

type Response = { status: number; text: string };

async function sendRequest(request: http.ClientRequest, content: Buffer): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  request.on('response', (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => void chunks.push(chunk));
    res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    res.on('error', reject);
  });
  request.on('error', reject);
  request.end(content);
  const timer = setTimeout(() => request.destroy(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function readResponse({ status, text }: Response): Spent {
  if (status >= 500) throw consentUnavailable();
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status === 200)
    return { jti: String(body['jti']), pinVersion: Number(body['pin_version']), first: body['first'] === true };
  const code = body['code'] as ProblemCode;
  if (code in problems && code.startsWith('step_up_')) throw problem(code as ProblemCode & `step_up_${string}`);
  // The access token has expired since it was verified, or the user may not do this: passed on as it is.
  if (code in problems && (status === 401 || status === 403)) throw problem(code);
  throw new Error(`auth-stepup rejected the request to spend a token: ${status} ${code}`);
}
