import http from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { problem, problems } from '@comanda/contracts/problems';
import type { Problem, ProblemCode } from '@comanda/contracts/problems';
import type { ConsumeStepUp } from '@comanda/contracts/security';
import { requestFingerprint } from './request-fingerprint.ts';

declare const spent: unique symbol;
/** Proof that a step-up token was spent. Only `createConsume` makes one, so that a handler cannot forget to ask. */
export type Consent = Spent & { readonly [spent]: true };
/** What auth-stepup says of a spent token: its id, the version of the PIN that was proved, and whether it was spent now. */
export type Spent = {
  jti: string;
  pinVersion: number;
  /** False where the very same call, by its idempotency key, had spent it before. */
  first: boolean;
};
/** A request to an endpoint whose contract names a step-up key. */
export type SensitiveCall = {
  caller: { userId: number };
  route: { method: string; path: string; stepUp: string | undefined };
  idempotencyKey: string | undefined;
  body: unknown;
  header: (name: string) => string | undefined;
  context: { requestId: string; traceparent: string };
};
/**
 * Spends the request's step-up token. A use case awaits it once, after every check that could refuse the request and
 * before the write. `details` is what the request is about to do [RFC 9396]; it is compared with what the PIN was for.
 * @throws the `step_up_…` problem; 503 `service_unavailable` where nobody can tell
 */
export type Consume = (call: SensitiveCall, what?: { details?: Record<string, unknown>[] }) => Promise<Consent>;
/** Asks the one service that knows; the call's own user is meant, by `authorization`. */
export type AskConsent = (
  body: ConsumeStepUp,
  call: Pick<SensitiveCall, 'caller' | 'header' | 'context'>,
) => Promise<Spent>;

/** The problem `code`, with what a client must do about it [RFC 9470]. */
export const stepUpProblem = (code: ProblemCode & `step_up_${string}`): Problem =>
  problem(code, {}, { 'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age="120"' });

const tokenForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export const createConsume =
  (ask: AskConsent): Consume =>
  async (call, { details } = {}) => {
    const { route, caller, idempotencyKey: key, body } = call;
    if (route.stepUp === undefined) throw new Error(`${route.method} ${route.path} has no step-up key in its contract`);
    const token = call.header('x-step-up-token');
    if (token === undefined || token === '') throw stepUpProblem('step_up_required');
    // Two tokens joined by a comma are none.
    if (token.length > 4096 || !tokenForm.test(token)) throw stepUpProblem('step_up_invalid');
    const answer = await ask(
      {
        step_up_token: token,
        endpoint_key: route.stepUp,
        ...(key !== undefined && { call_hash: requestFingerprint({ userId: caller.userId, ...route, key, body }) }),
        ...(details && { details }),
      },
      call,
    );
    return answer as Consent;
  };

/** Longest wait for the answer. The caller hears 503 within 2 s; a question that nobody waits for spends nothing. */
const askWithinMs = 1500;
const away = () => problem('service_unavailable', { detail: 'Consent cannot be checked now.' }, { 'Retry-After': '1' });

/** Asks auth-stepup at `url`. */
export function askAuthStepup(url: string): AskConsent & { close: () => void } {
  const target = new URL('/internal/step-up/consume', url);
  const { Agent, request } = target.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32 });
  // Taken apart once, and no `AbortSignal.timeout` below: together they were a fifth of what a question costs.
  const { hostname, port, path } = urlToHttpOptions(target);
  const where = { hostname, port, path, method: 'POST', agent };
  const ask: AskConsent = async (body, { header, context }) => {
    const sent = Buffer.from(JSON.stringify(body));
    const headers = {
      authorization: header('authorization') ?? '',
      'content-type': 'application/json',
      'content-length': sent.length,
      'x-request-id': context.requestId,
      traceparent: context.traceparent,
    };
    const answer = await exchange(request({ ...where, headers }), sent).catch(() => {
      throw away(); // whatever went wrong on the way is told in auth-stepup's own log, and by its absence
    });
    return readAnswer(answer);
  };
  return Object.assign(ask, { close: () => agent.destroy() });
}

type Answer = { status: number; text: string };

async function exchange(asked: http.ClientRequest, sent: Buffer): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  asked.on('response', (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => void chunks.push(chunk));
    res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    res.on('error', reject);
  });
  asked.on('error', reject);
  asked.end(sent);
  const late = setTimeout(() => asked.destroy(new Error('no answer in time')), askWithinMs);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
  }
}

function readAnswer({ status, text }: Answer): Spent {
  if (status >= 500) throw away();
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status === 200)
    return { jti: String(body['jti']), pinVersion: Number(body['pin_version']), first: body['first'] === true };
  const code = body['code'] as ProblemCode;
  if (code in problems && code.startsWith('step_up_')) throw stepUpProblem(code as ProblemCode & `step_up_${string}`);
  // The access token ran out on the way, or its user may not: said as auth-stepup says it.
  if (code in problems && (status === 401 || status === 403))
    throw problem(code, {}, status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {});
  throw new Error(`auth-stepup refused a question about consent: ${status} ${code}`);
}
