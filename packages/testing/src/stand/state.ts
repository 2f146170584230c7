import type { CallName, FailureCode, FeedStanding, Who } from '../../../client/src/client.ts';
import type { Answer } from '../../../client/src/calls/call-types.ts';

/**
 * A call that fails. `members` are the problem's additional fields. If `status` is set, the response comes from something between
 * the device and the server, which sends no problem.
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
/** Replies to repeated calls, in order. The last reply is used for all further calls. */
export type Successive<T> = { turns: readonly T[] };
type Once<N extends CallName> = Answer<N> | Failed | Unanswered;
/** The reply to a call: the response's body, a failure, or no response. */
export type Reply<N extends CallName> = Once<N> | Successive<Once<N>>;

export const fails = (code: FailureCode, more: Omit<Failed, 'fails'> = {}): Failed => ({ fails: code, ...more });
/** The failure of a call that can't reach the server. */
export const unreachable: Failed = { fails: 'unreachable', outcome: 'unknown' };
export const never: Unanswered = { never: true };

/** The state in which an app is shown. It contains only data that can be sent to the page as JSON. */
export type State = {
  /** The signed-in user. By default, no user is signed in. */
  who?: Who | null;
  /** The user who is signed in when the page's sign-in form is sent. */
  signsIn?: Who;
  /** The replies to calls, keyed by the call's name. A test must include every call that the page makes. */
  answers: { readonly [N in CallName]?: Reply<N> };
  /** The feed's status. The default is `live`. */
  feed?: FeedStanding;
  /** The items in the device's `localStorage`, keyed by name. */
  device?: Readonly<Record<string, string>>;
  /** The items in the tab's `sessionStorage`, keyed by name. */
  tab?: Readonly<Record<string, string>>;
};

/** A call that the page has made. */
export type MadeCall = { call: CallName; input: Record<string, unknown>; key?: string };
