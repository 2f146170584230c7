import type { CallName, FailureCode, FeedStanding, Who } from '../../../client/src/client.ts';
import type { Answer } from '../../../client/src/calls/call-types.ts';

/**
 * A call that fails. `members`: what the problem says beside its code. `status`: something between the device and the server has
 * sent this status, without a problem.
 */
export type Failed = {
  fails: FailureCode;
  status?: number;
  outcome?: 'none' | 'unknown';
  members?: Readonly<Record<string, unknown>>;
  retryAfterMs?: number;
};
/** A call without an answer. */
export type Unanswered = { never: true };
/** The first answer to the first call, and so on; the last one to all others. */
export type Successive<T> = { turns: readonly T[] };
type Once<N extends CallName> = Answer<N> | Failed | Unanswered;
/** What a call gets: the body of its answer, or what became of it. */
export type Reply<N extends CallName> = Once<N> | Successive<Once<N>>;

export const fails = (code: FailureCode, more: Omit<Failed, 'fails'> = {}): Failed => ({ fails: code, ...more });
/** The server cannot be reached. */
export const unreachable: Failed = { fails: 'unreachable', outcome: 'unknown' };
export const never: Unanswered = { never: true };

/** What an app is shown in: plain data, which goes to the page as JSON. */
export type State = {
  /** Who is signed in; nobody by default. */
  who?: Who | null;
  /** Who signs in if somebody does. */
  signsIn?: Who;
  /** By the name of the call. One that is not listed is an error of the test. */
  answers: { readonly [N in CallName]?: Reply<N> };
  /** `live` by default. */
  feed?: FeedStanding;
  /** What is on the device, by the names of `localStorage`. */
  device?: Readonly<Record<string, string>>;
  /** What the tab has, by the names of `sessionStorage`. */
  tab?: Readonly<Record<string, string>>;
};

/** A call that the page has made. */
export type MadeCall = { call: CallName; input: Record<string, unknown>; key?: string };
