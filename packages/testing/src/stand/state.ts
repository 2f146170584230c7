import type { CallName, FailureCode, FeedStanding, Who } from '../../../client/src/client.ts';
import type { Answer } from '../../../client/src/calls/call-types.ts';

/**
 * A call that fails. `members`: further fields in the problem. `status`: the status sent by something between the device and the
 * server, without a problem.
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
/** The first response is for the first call, and so on; the last response is for all further calls. */
export type Successive<T> = { turns: readonly T[] };
type Once<N extends CallName> = Answer<N> | Failed | Unanswered;
/** A call's result: the response body, a failure, or no response. */
export type Reply<N extends CallName> = Once<N> | Successive<Once<N>>;

export const fails = (code: FailureCode, more: Omit<Failed, 'fails'> = {}): Failed => ({ fails: code, ...more });
/** The result when the server can't be reached. */
export const unreachable: Failed = { fails: 'unreachable', outcome: 'unknown' };
export const never: Unanswered = { never: true };

/** The state that an app is shown in: plain data, which is sent to the page as JSON. */
export type State = {
  /** The user who is signed in; by default none. */
  who?: Who | null;
  /** The user who is signed in by a sign-in on the page. */
  signsIn?: Who;
  /** The responses, keyed by call name. A call that is missing here is a mistake in the test. */
  answers: { readonly [N in CallName]?: Reply<N> };
  /** The feed's status; by default `live`. */
  feed?: FeedStanding;
  /** What is stored on the device, by `localStorage` name. */
  device?: Readonly<Record<string, string>>;
  /** What is stored in the tab, by `sessionStorage` name. */
  tab?: Readonly<Record<string, string>>;
};

/** A call that the page has made. */
export type MadeCall = { call: CallName; input: Record<string, unknown>; key?: string };
