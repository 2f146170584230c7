import { detailsOf } from '@comanda/contracts/agreed-details';
import type { StepUp } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { ConsumeStepUp } from '@comanda/contracts/internal';
import type { IdempotentRequest } from './request-fingerprint.ts';

declare const consentBrand: unique symbol;
/**
 * Proof that a step-up token was spent. Only `createConsume` can create it, so a handler that forgets to spend the token does not
 * compile.
 */
export type Consent = Spent & { readonly [consentBrand]: true };
/**
 * The response from auth-stepup about a token that was spent. `pinVersion` is the version of the PIN that the user entered to get
 * the token.
 */
export type Spent = {
  jti: string;
  pinVersion: number;
  /** True if this request spent the token; false if an earlier request with the same idempotency key did. */
  first: boolean;
  /** A statement signed by auth-stepup [RFC 7515] that says what the user agreed to, and when. */
  jws: string;
};
/** A request to an endpoint that needs a step-up token. */
export type SensitiveCall = {
  caller: { userId: number };
  params: object;
  query: object;
  body: object | undefined;
  route: { method: string; path: string; stepUp: StepUp | undefined };
  idempotency: IdempotentRequest | null;
  header: (name: string) => string | undefined;
  context: { requestId: string; traceparent: string };
};
/**
 * Spends the request's step-up token. A use case calls this once, after all checks that could reject the request and before the
 * write. The details [RFC 9396] are computed from the request's input, as the contract declares, and compared with the details in
 * the token. `known` contains values for details that the input may leave out.
 * @throws a `step_up_…` problem; 503 `service_unavailable` if auth-stepup cannot be reached
 */
export type Consume = (call: SensitiveCall, known?: Readonly<Record<string, unknown>>) => Promise<Consent>;
/** Asks auth-stepup to spend the token. auth-stepup identifies the user by the `Authorization` header of `call`. */
export type AskConsent = (
  body: ConsumeStepUp,
  call: Pick<SensitiveCall, 'caller' | 'header' | 'context'>,
) => Promise<Spent>;

const tokenForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
/**
 * Checks a token's form. Accepts a missing token.
 * @throws 401 `step_up_invalid`
 */
export function checkTokenForm(token = ''): void {
  // This also rejects two tokens in separate headers, which Node joins with a comma.
  if (token !== '' && (token.length > 4096 || !tokenForm.test(token))) throw problem('step_up_invalid');
}

export const createConsume =
  (ask: AskConsent): Consume =>
  async (call, known = {}) => {
    const { idempotency } = call;
    const { key, details } = declared(call, known);
    const token = call.header('x-step-up-token');
    if (token === undefined || token === '') throw problem('step_up_required');
    checkTokenForm(token);
    const spent = await ask(
      {
        step_up_token: token,
        endpoint_key: key,
        ...(idempotency && { call_hash: idempotency.fingerprint }),
        details: [details],
      },
      call,
    );
    return spent as Consent;
  };

/** Returns a request's step-up key and the exact details that its token must contain. */
function declared({ route, params, query, body }: SensitiveCall, known: Readonly<Record<string, unknown>>) {
  const { method, path, stepUp } = route;
  if (!stepUp) throw new Error(`${method} ${path} has no step-up key in its contract`);
  const details = detailsOf(stepUp.details, { ...params, ...query, ...body, ...known });
  if (!details) throw new Error(`${method} ${path} does not say all that its details name`);
  return { key: stepUp.key, details };
}
