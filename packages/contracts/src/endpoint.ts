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

/** A header that only some responses have. */
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
  /** The response is available as a page, selected by `Accept`, instead of or in addition to JSON. */
  page?: 'text/html';
  /** The response is a file of this type. */
  file?: 'image/webp' | 'text/csv; charset=utf-8';
  headers?: readonly ResponseHeader[];
};

/** How a user authorizes a call with the PIN. `Name` is the type of the names of the call's input fields. */
export type StepUp<Name extends string = string> = {
  /** The endpoint key that a step-up token must be issued for. Endpoints with the same key have the same type of details. */
  readonly key: string;
  /**
   * The exact details that the user authorizes. The client computes them from the input, shows them and sends them as
   * `authorization_details`. The service computes them again and compares.
   */
  readonly details: DetailsRule<Name>;
  /** Tokens for this key are issued only with details. */
  readonly required?: true;
  /** A setting in the service determines whether a token is required. If it isn't, the handler returns `consent: null`. */
  readonly demanded?: 'by_setting';
};
/** A body that is a file instead of JSON. Only users with a token may send files, because the service holds them in memory. */
export type Upload = { readonly types: readonly string[]; readonly maxMegabytes: number };
type InputName<P, Q, B> = Extract<keyof P | keyof Q | keyof B, string>;

/**
 * The data that must exist before an endpoint's example can succeed. Its ids and tokens replace those in the example. A test
 * sends every example to running services: `test/examples.test.ts` has a function for each of these.
 */
export type ExampleNeed =
  | 'a PIN'
  | 'a bill'
  | 'a call'
  | 'a closed bill'
  | 'a closed day'
  | 'a closed table'
  | "a customer's account"
  | 'a day to close'
  | 'a discount'
  | 'a dish'
  | 'a dish on offer'
  | 'a guest'
  | 'a menu without the dish'
  | 'a paid bill'
  | 'a Pix charge'
  | 'a Pix receipt'
  | 'a payment by Pix'
  | 'a payment from an account'
  | 'a picture'
  | 'a refresh token'
  | 'a refresh token and a table code'
  | 'a reserved payment'
  | 'a reserved payment from an account'
  | 'a restaurant without a manager'
  | 'a session'
  | 'a table'
  | 'a table code'
  | 'a table with guests'
  | 'a tablet'
  | 'a tablet and a waiter'
  | 'a time in the future'
  | 'a transfer'
  | 'a user'
  | 'a user with a PIN'
  | 'a waiter'
  | 'an account'
  | 'an approved reset'
  | 'an invitation'
  | 'an option group'
  | 'an order'
  | 'an unused email address'
  | 'another dish'
  | 'the password in the example'
  | 'transfers that continue'
  | 'two accounts'
  | 'two bills'
  | 'two tables';

/** One endpoint, described as data. Validation, routes, API documents, the client and attack tests are derived from it. */
export type Endpoint<P extends Shape, Q extends Shape, B, A> = {
  service: ServiceName;
  method: Method;
  /** Literal segments and `{parameters}`: `/orders/{id}`. */
  path: string;
  /** The name of the OpenAPI operation and the client method, such as `placeOrder`. */
  name: string;
  summary: string;
  /** More text for the API documents, below the summary, in Markdown. */
  details?: string;
  /** The roles that may call the endpoint; `anyone` needs no token. */
  who: 'anyone' | readonly Role[];
  /** The only services that may call the endpoint, each with its own secret. The gateway does not forward such calls. */
  callers?: readonly ServiceName[];
  /** Guests, who have no account of their own, get 403 `account_required`. */
  account?: 'required';
  /**
   * A session that was started with a tablet PIN gets 401 `reauthentication_required`. Used for calls about the user's own
   * secrets, sessions and money. Does not apply to guests.
   */
  passwordSignIn?: 'required';
  /** The call is allowed even if the user still has to change their password. */
  mustChangePassword?: 'allowed';
  /** The step-up token that the call needs; absent if it needs none. */
  stepUp?: StepUp<NoInfer<InputName<P, Q, B>>> | undefined;
  /**
   * By default, the service that stores sessions rejects every write with an access token from a session that has ended. With
   * `use_case`, the call's use case checks the session itself, together with other data that it reads anyway.
   */
  liveSession?: 'use_case';
  /** The call accepts an `Idempotency-Key`. */
  idempotencyKey?: 'accepted';
  /**
   * Special rate limits. `step_up`: an additional limit per user, counted across all gateways, for calls that check a PIN or a
   * password, or that return an account's owner. `files`: a separate limit per address, because a page loads many files at the
   * same time. `session`: for calls without an access token. The service counts these per session, and the gateway counts per
   * address only requests without a refresh token.
   */
  limit?: 'step_up' | 'session' | 'files';
  params?: P;
  query?: Q;
  body?: Joi.ObjectSchema<B>;
  /** A request without a body is treated like a request with the body `{}`. */
  mayOmitBody?: true;
  /** The body may be anything or missing: its type isn't checked, and the handler gets its bytes. Used for other programs' calls. */
  anyBody?: true;
  /** Maximum body size in KB; by default `maxBodyKilobytes` in `rules.ts`. Only services and managers may send larger bodies. */
  maxBodyKilobytes?: number;
  /** Set if the body is a file. */
  upload?: Upload | undefined;
  /**
   * The data that the example needs in addition to its caller, who is a customer if customers may call the endpoint, otherwise a
   * manager.
   */
  exampleNeeds?: ExampleNeed;
  responses: Partial<Record<200 | 201 | 204 | 304, Omit<EndpointResponse, 'body'> & { body: Joi.AnySchema<A> | null }>>;
  /** Problems specific to this endpoint. `problemsOf` adds those that result from its other properties. */
  problems: readonly ProblemCode[];
};

export type AnyEndpoint = Endpoint<Shape, Shape, unknown, unknown>;
export type ParamsOf<E> = E extends Endpoint<infer P, Shape, unknown, unknown> ? FromShape<P> : never;
export type QueryOf<E> = E extends Endpoint<Shape, infer Q, unknown, unknown> ? FromShape<Q> : never;
export type BodyOf<E> = E extends Endpoint<Shape, Shape, infer B, unknown> ? B : never;
export type ResponseOf<E> = E extends Endpoint<Shape, Shape, unknown, infer A> ? A : never;

type Who = AnyEndpoint['who'];
/**
 * Declares an endpoint. `who` and `stepUp` keep their literal types: with roles, the handler's caller is never null; with a
 * step-up key, the handler must return proof of the user's authorization. With `upload`, the input contains the file.
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

/** Returns true if the endpoint returns only an HTML page or a file, which browsers load and programs do not call. */
export const isForBrowsers = ({ responses }: AnyEndpoint): boolean =>
  Boolean((responses[200]?.page || responses[200]?.file) && !responses[200].body);

/** Returns all problems that this endpoint may return: its own, and those that result from its other properties. */
export function problemsOf(contract: AnyEndpoint): ProblemCode[] {
  const codes = new Set<ProblemCode>(contract.problems);
  const add = (...more: ProblemCode[]): void => more.forEach((code) => codes.add(code));
  // Every endpoint rejects unknown query keys.
  add('malformed_request', 'validation_failed');
  add('internal_error', 'service_unavailable', 'bad_gateway', 'gateway_timeout', 'rate_limited');
  if (contract.who !== 'anyone') {
    add('authentication_required', 'invalid_token');
    if (!contract.mustChangePassword) add('password_change_required');
    // This problem is possible even if all roles may call: a token may contain a role from a newer release.
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
