import type { CallName, FailureCode, FeedStanding, Who } from '../../../client/src/client.ts';
import type { Answer } from '../../../client/src/calls/call-types.ts';

/**
 * A failing call. `members` are further fields in the problem. `status` is set if something between the device and the server
 * responds, which sends no problem.
 */
export type Failed = {
  fails: FailureCode;
  status?: number;
  outcome?: 'none' | 'unknown';
  members?: Readonly<Record<string, unknown>>;
  retryAfterMs?: number;
};
/** A call that never gets a response. */
export type Unanswered = { never: true };
/** Responses to successive calls. The last one is repeated for all further calls. */
export type Successive<T> = { turns: readonly T[] };
type Once<N extends CallName> = Answer<N> | Failed | Unanswered;
/** A call's result: the response body, a failure, or no response. */
export type Reply<N extends CallName> = Once<N> | Successive<Once<N>>;

export const fails = (code: FailureCode, more: Omit<Failed, 'fails'> = {}): Failed => ({ fails: code, ...more });
/** The result when the server can't be reached. */
export const unreachable: Failed = { fails: 'unreachable', outcome: 'unknown' };
export const never: Unanswered = { never: true };

/** The state in which to show an app. It is plain data, because it is sent to the page as JSON. */
export type State = {
  /** The signed-in user. By default, no user is signed in. */
  who?: Who | null;
  /** The user who is signed in after a sign-in on the page. */
  signsIn?: Who;
  /** The responses, keyed by call name. A test must include every call that the page makes. */
  answers: { readonly [N in CallName]?: Reply<N> };
  /** The feed's status. The default is `live`. */
  feed?: FeedStanding;
  /** The device's `localStorage` items, by name. */
  device?: Readonly<Record<string, string>>;
  /** The tab's `sessionStorage` items, by name. */
  tab?: Readonly<Record<string, string>>;
};

/** A call that the page has made. */
export type MadeCall = { call: CallName; input: Record<string, unknown>; key?: string };
