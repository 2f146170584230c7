import type { ResponseOf, BodyOf, ParamsOf, QueryOf, Upload } from '@comanda/contracts/endpoint';
import type { Calls } from './calls.ts';
import type { AskConsent } from './request-step-up-token.ts';

type Flat<T> = { [K in keyof T]: T[K] };
/** A call's input: path parameters, query and body in one object, or the file to upload. */
type InputOf<E> = Flat<ParamsOf<E> & QueryOf<E> & (BodyOf<E> extends undefined ? unknown : BodyOf<E>) & FileOf<E>>;
type FileOf<E> = E extends { upload?: infer U } ? ([U] extends [Upload] ? { file: Blob } : unknown) : unknown;

export type CallName = keyof Calls;
export type Input<N extends CallName> = InputOf<Calls[N]>;
export type Answer<N extends CallName> = ResponseOf<Calls[N]>;

/** Names of the calls that need the user's authorization. */
export type SensitiveCall = {
  [N in CallName]: [NonNullable<Calls[N]['stepUp']>] extends [never] ? never : N;
}[CallName];

export type CallOptions = {
  /** Aborts the call. The request may still have reached the server. */
  signal?: AbortSignal;
  /**
   * The idempotency key for an action that must happen only once, if the call accepts a key. Create it with `newKey` when the
   * user taps, and reuse it until you get a response. Without a key, the server treats every call as a new action.
   */
  idempotencyKey?: string;
  /**
   * `never` turns off retries of undecided calls. Use it in an outbox, which retries and stores its calls itself. With `never`,
   * only calls that need authorization are stored in `pendingCalls`.
   */
  repeat?: 'never';
  /**
   * Asks the user to authorize this call, instead of the client's `onConsent`. With `never`, the user is not asked, and a call
   * that needs authorization fails with `step_up_required`. Use `never` to look up the result of an earlier call with the same
   * key without making the call again.
   */
  consent?: AskConsent | 'never';
  /** The resource's `ETag` from when you fetched it. The call fails with `version_mismatch` if the resource has changed since. */
  ifMatch?: string;
  /** The `ETag` of the version that you already have. If the resource has not changed, the body is `undefined` (status 304). */
  ifNoneMatch?: string;
  /** Asks for a file in place of JSON. `downloadReport` uses it. */
  accept?: 'text/csv';
};
export type Answered<N extends CallName> = { status: number; headers: Headers; body: Answer<N> };

/** The arguments of a call. `input` is optional if all of the call's fields are optional. */
export type Arguments<N extends CallName> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: CallOptions]
    : [input: Input<N>, options?: CallOptions];

/** Names of calls that return a list page by page. */
export type PagedName = {
  [N in CallName]: 'cursor' extends keyof Input<N> ? (Answer<N> extends readonly unknown[] ? N : never) : never;
}[CallName];

/** All calls by name. Each returns a promise for the response body. */
export type CallsByName = { readonly [N in CallName]: (...args: Arguments<N>) => Promise<Answer<N>> };
