import type { problemMembers } from './problem-members.ts';
import type { FromShape } from './schema.ts';

/** Every failure that the wire knows [RFC 9457]: `code` is stable, `title` is for people, `about` says what to do. */
export const problems = {
  validation_failed: { status: 400, title: 'Validation failed', about: 'Mend the fields that `errors` names.' },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    about: 'The body is not one JSON object: UTF-8, no key twice, at most 32 levels deep.',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    about: 'The request breaks HTTP or sends a header twice; `detail` says which.',
  },
  authentication_required: {
    status: 401,
    title: 'Authentication required',
    about: 'Send `Authorization: Bearer <access token>`.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    about: 'The access token is not valid or has expired: refresh it, or sign in.',
  },
  forbidden: { status: 403, title: 'Forbidden', about: 'Your role may not do this, or not to this.' },
  account_required: {
    status: 403,
    title: 'Account required',
    about: 'Guests have no PIN and no accounts: register and sign in.',
  },
  password_change_required: {
    status: 403,
    title: 'Password change required',
    about: 'Change the password that was set for you with `PUT /auth/password`, then refresh.',
  },
  not_found: { status: 404, title: 'Not found', about: 'There is no such thing, or it is not yours to see.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    about: 'The path exists; `Allow` lists its methods.',
  },
  body_too_large: { status: 413, title: 'Body too large', about: 'A body may have 32 KB.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    about: 'Bodies are `application/json`, in UTF-8, not compressed.',
  },
  rate_limited: { status: 429, title: 'Too many requests', about: 'Wait for `Retry-After` seconds.' },
  internal_error: {
    status: 500,
    title: 'Internal error',
    about: 'Our fault. Quote `request_id`. Where `outcome` is `unknown`, repeat with the same idempotency key.',
  },
  bad_gateway: {
    status: 502,
    title: 'Bad gateway',
    about: 'A service broke off its answer. Where `outcome` is `unknown`, repeat with the same idempotency key.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    about: 'Something is down or full: try again after `Retry-After` seconds.',
  },
  gateway_timeout: {
    status: 504,
    title: 'Gateway timeout',
    about: 'A service answered too late. Where `outcome` is `unknown`, repeat with the same idempotency key.',
  },
  upgrade_required: {
    status: 400,
    title: 'WebSocket only',
    about: 'The live feed speaks WebSocket: set `transports: ["websocket"]`.',
  },

  email_taken: { status: 409, title: 'E-mail taken', about: 'There is a user with this e-mail: sign in.' },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    about: 'E-mail or password is wrong, or the user is disabled.',
  },
  invalid_refresh_token: {
    status: 401,
    title: 'Invalid refresh token',
    about: 'It was used, revoked or has run out: sign in again.',
  },
  table_token_invalid: { status: 401, title: 'Invalid table token', about: "Scan the table's current QR code." },
  password_invalid: { status: 403, title: 'Wrong password', about: 'The current password is wrong.' },
  password_too_weak: {
    status: 422,
    title: 'Password too weak',
    about: 'Choose one that is not among the commonest, and not longer than 72 bytes in UTF-8.',
  },

  menu_item_exists: { status: 409, title: 'Dish exists', about: 'Another dish has this name, ignoring case.' },
  menu_item_unknown: {
    status: 422,
    title: 'Unknown dish',
    about: '`items` lists what is not on the menu: read it again.',
  },
  menu_item_unavailable: {
    status: 409,
    title: 'Dish unavailable',
    about: '`items` lists what is sold out, with what is left.',
  },
  ordering_paused: {
    status: 503,
    title: 'Ordering paused',
    about: 'The house takes no orders now: try again after `Retry-After` seconds.',
  },
  table_mismatch: {
    status: 403,
    title: 'Another table',
    about: 'A guest orders for the table whose code was scanned.',
  },
  seating_full: {
    status: 429,
    title: 'Too many open items',
    about: 'A table may have 100 items open: wait until some are served.',
  },
  illegal_transition: {
    status: 409,
    title: 'Illegal status transition',
    about: '`allowed_transitions` lists what you may do next.',
  },
  version_mismatch: { status: 412, title: 'Version mismatch', about: 'Somebody changed it since: read it again.' },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    about: 'This key belongs to another call: make a new one.',
  },
  request_in_progress: {
    status: 409,
    title: 'Request in progress',
    about: 'The first call with this key is still running: repeat it in a second.',
  },

  account_not_found: {
    status: 404,
    title: 'Account not found',
    about: 'There is no such account, or the one that pays is not yours.',
  },
  same_account: { status: 422, title: 'Same account', about: 'An account cannot pay itself.' },
  currency_mismatch: {
    status: 422,
    title: 'Currency mismatch',
    about: 'Both accounts and the transfer have one currency.',
  },
  insufficient_funds: {
    status: 422,
    title: 'Insufficient funds',
    about: 'The account holds less than that; nothing was posted.',
  },

  transaction_password_exists: {
    status: 409,
    title: 'PIN exists',
    about: 'You have a PIN already: change it, or have a reset approved.',
  },
  transaction_password_absent: { status: 409, title: 'No PIN yet', about: 'There is no PIN: create one first.' },
  transaction_password_weak: {
    status: 422,
    title: 'PIN too weak',
    about: 'Choose one that is no date, no run, no repetition and not among the commonest.',
  },
  confirmation_mismatch: {
    status: 422,
    title: 'Confirmation differs',
    about: 'The PIN and its confirmation are not the same.',
  },
  transaction_password_invalid: {
    status: 403,
    title: 'Wrong PIN',
    about: 'The PIN is wrong; `attempts_remaining` says how many tries are left.',
  },
  transaction_password_blocked: {
    status: 429,
    title: 'PIN blocked',
    about:
      'Three wrong tries: wait until `blocked_until`, or have a reset approved. Where it is null only a reset helps.',
  },
  transaction_password_busy: {
    status: 429,
    title: 'PIN is being checked',
    about: 'Other tries with this PIN are being checked: repeat after `Retry-After` seconds.',
  },
  reauthentication_required: {
    status: 401,
    title: 'Sign in again',
    about: 'This needs a recent sign-in: sign in with e-mail and password, then repeat.',
  },
  reset_not_approved: {
    status: 403,
    title: 'Reset not approved',
    about: 'A manager has to approve it first; an approval is good for 15 minutes and one use.',
  },
  reset_too_soon: {
    status: 403,
    title: 'Reset too soon',
    about: 'Somebody else has set your password: a PIN can be reset 24 hours after that.',
  },
  endpoint_key_unknown: {
    status: 422,
    title: 'Unknown endpoint key',
    about: 'No endpoint has this key; the documents name those that there are.',
  },
  step_up_required: {
    status: 401,
    title: 'Step-up required',
    about: 'Prove the PIN with `POST /security/step-up` and send the token in `X-Step-Up-Token`.',
  },
  step_up_invalid: { status: 401, title: 'Invalid step-up token', about: 'Prove the PIN again.' },
  step_up_expired: { status: 401, title: 'Step-up token expired', about: 'Prove the PIN again.' },
  step_up_used: {
    status: 401,
    title: 'Step-up token used',
    about: 'A token is good for one call: prove the PIN again.',
  },
  step_up_wrong_endpoint: {
    status: 401,
    title: 'Step-up token for another call',
    about: 'Prove the PIN for this `endpoint_key`.',
  },
  step_up_wrong_details: {
    status: 401,
    title: 'Step-up token for other details',
    about: 'What was agreed to is not what was sent: prove the PIN again.',
  },
} as const satisfies Record<string, { status: number; title: string; about: string }>;

export type ProblemCode = keyof typeof problems;

/** The members of a problem beyond those that every problem has, as a reader finds them. Never a secret. */
export type ProblemMembers = {
  detail?: string;
  errors?: readonly { pointer: string; detail: string; in?: 'query' | 'path' | 'header' }[];
  outcome?: 'unknown';
  [member: string]: unknown;
};
/** The members that problem `C` must and may have, read off its schema in `problem-members.ts`. */
export type MembersOf<C extends ProblemCode> = { detail?: string } & (C extends keyof typeof problemMembers
  ? FromShape<(typeof problemMembers)[C]>
  : unknown);
type Headers = Readonly<Record<string, string>>;
// oxlint-disable-next-line typescript/no-empty-object-type -- whether all members are optional
type Rest<C extends ProblemCode> =
  {} extends MembersOf<C> ? [members?: MembersOf<C>, headers?: Headers] : [members: MembersOf<C>, headers?: Headers];

/** A failure that the caller is told. Any code may throw it; one handler turns it into the answer. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly members: ProblemMembers;
  /** Headers of the answer: `Retry-After` in seconds, `Allow`, `WWW-Authenticate`. */
  readonly headers: Headers;
  constructor(code: ProblemCode, members: ProblemMembers, headers: Headers) {
    super(members.detail ?? problems[code].title);
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
    this.members = members;
    this.headers = headers;
  }
}

/**
 * The failure `code`, to be thrown. A code with required members does not compile without them. `headers` go into the
 * answer, for example `{ 'Retry-After': '2' }`.
 */
export const problem = <C extends ProblemCode>(code: C, ...[members, headers]: Rest<C>): Problem =>
  new Problem(code, members ?? {}, headers ?? {});

/** The body of the answer [RFC 9457]. */
export const problemBody = (failure: Problem, requestId: string): Record<string, unknown> => ({
  type: `/problems/${failure.code}`,
  title: problems[failure.code].title,
  status: failure.status,
  code: failure.code,
  ...failure.members,
  request_id: requestId,
});
