import type { problemMembers } from './problem-members.ts';
import { problems, type ProblemCode } from './problems.ts';
import type { FromShape } from './schema.ts';

/** A problem's fields in addition to those that every problem has, as sent to clients. They never contain a secret. */
export type ProblemMembers = {
  detail?: string;
  errors?: readonly { pointer: string; detail: string; in?: 'query' | 'path' | 'header' }[];
  outcome?: 'unknown';
  [member: string]: unknown;
};
/** The required and optional fields for the problem with the code `C`, derived from its schema in `problem-members.ts`. */
export type MembersOf<C extends ProblemCode> = { detail?: string } & (C extends keyof typeof problemMembers
  ? FromShape<(typeof problemMembers)[C]>
  : unknown);
type Headers = Readonly<Record<string, string>>;
type Rest<C extends ProblemCode> =
  {} extends MembersOf<C> ? [members?: MembersOf<C>, headers?: Headers] : [members: MembersOf<C>, headers?: Headers];

/** An error to report to the client. Any function may throw it, and one handler turns it into the response. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly members: ProblemMembers;
  /** Headers for the response, such as `Retry-After` in seconds, or `Allow`. A 401 always has `WWW-Authenticate`. */
  readonly headers: Headers;
  constructor(code: ProblemCode, members: ProblemMembers, headers: Headers) {
    super(members.detail ?? problems[code].title);
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
    this.members = members;
    const challenge = challengeOf(code);
    this.headers = challenge === null ? headers : { 'WWW-Authenticate': challenge, ...headers };
  }
}

/** Thrown by a store if nothing was written, so the call's outcome is known. */
export class NothingWritten extends Problem {}

/**
 * Returns the `WWW-Authenticate` header for a 401, which asks for another access token [RFC 6750] or for a step-up token [RFC
 * 9470]. Null for any other status.
 */
function challengeOf(code: ProblemCode): string | null {
  if (problems[code].status !== 401) return null;
  if (code === 'invalid_token') return 'Bearer error="invalid_token"';
  if (code.startsWith('step_up_'))
    return 'Bearer error="insufficient_user_authentication", acr_values="urn:comanda:step-up"';
  return 'Bearer';
}

/**
 * Creates the problem `code`, to be thrown. If one of its required fields is missing, the call does not compile. `headers` are
 * response headers, for example `{ 'Retry-After': '2' }`.
 */
export const problem = <C extends ProblemCode>(code: C, ...[members, headers]: Rest<C>): Problem =>
  new Problem(code, members ?? {}, headers ?? {});

/** Creates a 503 for a request that may succeed if the client repeats it after a second. `cause` is only logged. */
export function unavailable(members: MembersOf<'service_unavailable'> = {}, cause?: unknown): Problem {
  const failure = problem('service_unavailable', members, { 'Retry-After': '1' });
  if (cause !== undefined) failure.cause = cause;
  return failure;
}

/** Creates the body of a problem response [RFC 9457]. */
export const problemBody = (failure: Problem, requestId: string): Record<string, unknown> => ({
  type: `/problems/${failure.code}`,
  title: problems[failure.code].title,
  status: failure.status,
  code: failure.code,
  ...failure.members,
  request_id: requestId,
});
