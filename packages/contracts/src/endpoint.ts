import type Joi from 'joi';
import type { DetailsRule } from './agreed-details.ts';
import type { ProblemCode } from './problems.ts';
import type { FromShape, Shape } from './schema.ts';

export type ServiceName = 'gateway' | 'orders' | 'auth-stepup' | 'transfers' | 'notifier';
export const roles = ['customer', 'waiter', 'manager'] as const;
export type Role = (typeof roles)[number];
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export const staff: readonly Role[] = ['waiter', 'manager'];
export const manager: readonly Role[] = ['manager'];

/** A response header that not every response has. */
export type ResponseHeader =
  | 'Location'
  | 'ETag'
  | 'Link'
  | 'Idempotent-Replayed'
  | 'Cache-Control'
  | 'Content-Disposition'
  | 'Retry-After'
  | 'Set-Cookie'
  | 'Vary'
  | 'Database-Epoch';
export type EndpointResponse = {
  about: string;
  body: Joi.AnySchema | null;
  /** The response is (also) available as a page, selected by `Accept`. */
  page?: 'text/html';
  /** The response is a file of this type. */
  file?: 'image/webp';
  headers?: readonly ResponseHeader[];
};

/** How a call uses the PIN. `Name`: the fields of its input. */
export type StepUp<Name extends string = string> = {
  /**
   * The endpoint key that a step-up token must be issued for. Endpoints with the same key have details of the same
   * type.
   */
  readonly key: string;
  /**
   * The exact details that the user agrees to. The client computes them from the input, shows them and sends them as
   * `authorization_details`. The service computes them again and compares.
   */
  readonly details: DetailsRule<Name>;
  /** Tokens for this key are issued only with details. */
  readonly required?: true;
  /** A setting of the service decides whether a token is required. If not, the handler returns `consent: null`. */
  readonly demanded?: 'by_setting';
};
/**
 * A body that is a file instead of JSON. Only users with a token may send one, because the service holds it in memory.
 */
export type Upload = { readonly types: readonly string[]; readonly maxMegabytes: number };
type InputName<P, Q, B> = Extract<keyof P | keyof Q | keyof B, string>;

/** One endpoint as data. Validation, routes, API documents, the client and attack tests are derived from it. */
export type Endpoint<P extends Shape, Q extends Shape, B, A> = {
  service: ServiceName;
  method: Method;
  /** Literal segments and `{parameters}`: `/orders/{id}`. */
  path: string;
  /** The name of its OpenAPI operation and of its client method, such as `placeOrder`. */
  name: string;
  summary: string;
  /** More text for the API documents, below the summary, in Markdown. */
  details?: string;
  /** The roles that may call; `anyone` needs no token. */
  who: 'anyone' | readonly Role[];
  /** The only services that may call, each with its own secret. The gateway does not forward such a call. */
  callers?: readonly ServiceName[];
  /** Guests, who have no sign-in of their own, get 403 `account_required`. */
  account?: 'required';
  /**
   * A session that was started with a tablet PIN gets 401 `reauthentication_required`. For calls about the user's own
   * secrets, sessions and money. Does not apply to guests.
   */
  passwordSignIn?: 'required';
  /** The call is allowed while the user still has to change their password. */
  mustChangePassword?: 'allowed';
  /** The step-up token that the call needs; absent if it needs none. */
  stepUp?: StepUp<NoInfer<InputName<P, Q, B>>> | undefined;
  /** The call accepts an `Idempotency-Key`. */
  idempotencyKey?: 'accepted';
  /**
   * Special rate limits.
   * `step_up`: an additional limit per user, counted across all gateways, for calls that check a PIN or a password, or
   * that return the owner of an account.
   * `files`: a separate limit per address, because a page loads many files at once.
   * `session`: for calls without an access token. The service counts by session, and the gateway counts by address only
   * requests without a refresh token.
   */
  limit?: 'step_up' | 'session' | 'files';
  params?: P;
  query?: Q;
  body?: Joi.ObjectSchema<B>;
  /** A request without a body counts as one with `{}`. */
  mayOmitBody?: true;
  /**
   * Maximum size of the body in KB; by default `maxBodyKilobytes` of `rules.ts`. Only services may send larger ones.
   */
  maxBodyKilobytes?: number;
  /** The body is a file. */
  upload?: Upload | undefined;
  responses: Partial<Record<200 | 201 | 204 | 304, Omit<EndpointResponse, 'body'> & { body: Joi.AnySchema<A> | null }>>;
  /** Problems specific to this endpoint. `problemsOf` adds those that follow from its other properties. */
  problems: readonly ProblemCode[];
};

export type AnyEndpoint = Endpoint<Shape, Shape, unknown, unknown>;
export type ParamsOf<E> = E extends Endpoint<infer P, Shape, unknown, unknown> ? FromShape<P> : never;
export type QueryOf<E> = E extends Endpoint<Shape, infer Q, unknown, unknown> ? FromShape<Q> : never;
export type BodyOf<E> = E extends Endpoint<Shape, Shape, infer B, unknown> ? B : never;
export type ResponseOf<E> = E extends Endpoint<Shape, Shape, unknown, infer A> ? A : never;

type Who = AnyEndpoint['who'];
/**
 * Declares an endpoint. `who` and `stepUp` keep their literal types: with roles, the handler's caller is never null;
 * with a step-up key, the handler must return proof of the user's consent. With `upload`, the input has the file.
 */
export const endpoint = <
  P extends Shape = {},
  Q extends Shape = {},
  B = undefined,
  A = undefined,
  W extends Who = Who,
  const S extends StepUp | undefined = undefined,
  const U extends Upload | undefined = undefined,
>(
  contract: Endpoint<P, Q, B, A> & { who: W; stepUp?: S; upload?: U },
): Endpoint<P, Q, B, A> & { who: W; stepUp?: S; upload?: U } => contract;

/** Whether the endpoint returns only an HTML page or a file, which browsers load and programs do not call. */
export const isForBrowsers = ({ responses }: AnyEndpoint): boolean =>
  Boolean((responses[200]?.page || responses[200]?.file) && !responses[200].body);

/** All problems that this endpoint may return: its own, and those that follow from its other properties. */
export function problemsOf(contract: AnyEndpoint): ProblemCode[] {
  const codes = new Set<ProblemCode>(contract.problems);
  const add = (...more: ProblemCode[]): void => more.forEach((code) => codes.add(code));
  // Every endpoint rejects unknown query keys.
  add('malformed_request', 'validation_failed');
  add('internal_error', 'service_unavailable', 'bad_gateway', 'gateway_timeout', 'rate_limited');
  if (contract.who !== 'anyone') {
    add('authentication_required', 'invalid_token');
    if (!contract.mustChangePassword) add('password_change_required');
    // This problem is possible even if all roles may call: a token may have a role of a newer release.
    add('forbidden');
  }
  if (contract.callers) add('caller_not_allowed');
  if (contract.account) add('account_required');
  if (contract.passwordSignIn) add('reauthentication_required');
  if (contract.params) add('not_found');
  if (contract.body) add('malformed_json');
  if (contract.method === 'POST' || contract.method === 'PUT') add('body_too_large', 'unsupported_media_type');
  if (contract.idempotencyKey) add('idempotency_key_reused', 'request_in_progress');
  if (contract.stepUp) {
    add('step_up_required', 'step_up_invalid', 'step_up_expired', 'step_up_used', 'step_up_wrong_endpoint');
    add('step_up_wrong_details');
    if (contract.service === 'transfers') add('transfers_stopped');
  }
  return [...codes];
}
