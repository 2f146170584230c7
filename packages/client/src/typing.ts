import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '@comanda/contracts/endpoint';
import type { Calls } from './calls.ts';

type Flat<T> = { [K in keyof T]: T[K] };
/** What a call may be given: its parameters, its query and its body, in one object. */
type InputOf<E> = Flat<ParamsOf<E> & QueryOf<E> & (BodyOf<E> extends undefined ? unknown : BodyOf<E>)>;

export type CallName = keyof Calls;
export type Input<N extends CallName> = InputOf<Calls[N]>;
export type Answer<N extends CallName> = AnswerOf<Calls[N]>;

export type CallOptions = {
  /** Ends the call; its idempotency key is kept, so that the same call made again goes on where this one ended. */
  signal?: AbortSignal;
  /** One of your own, where the call takes one; else the client makes it. */
  idempotencyKey?: string;
  /** The `ETag` that was read: the call fails with `version_mismatch` if it was changed since. */
  ifMatch?: string;
  /** The `ETag` at hand: the body is `undefined` (status 304) if it is still the newest. */
  ifNoneMatch?: string;
};
export type Answered<N extends CallName> = { status: number; headers: Headers; body: Answer<N> };

/** Required only where the contract requires something. */
type Arguments<N extends CallName> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: CallOptions]
    : [input: Input<N>, options?: CallOptions];

/** Calls that answer page by page. */
export type PagedName = {
  [N in CallName]: 'cursor' extends keyof Input<N> ? (Answer<N> extends readonly unknown[] ? N : never) : never;
}[CallName];

/** Every call by its name: resolves to the answer's body. */
export type CallsByName = { readonly [N in CallName]: (...args: Arguments<N>) => Promise<Answer<N>> };
