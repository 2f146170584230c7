import type { MembersOf } from '@comanda/contracts/problem';
import type { ProblemCode } from '@comanda/contracts/problems';

/** The body of an error response [RFC 9457], with the fields that this error code adds. */
export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail?: string;
  request_id: string;
  outcome?: 'unknown';
  [member: string]: unknown;
};
type Details = {
  code: FailureCode;
  problem?: ProblemBody | undefined;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  outcome: 'none' | 'unknown';
};
/** `unreachable` means that the server did not respond. If a proxy or network responded instead, the failure has a `status`. */
export type FailureCode = ProblemCode | 'unreachable';

/** A call failure with one specific code. Its `problem` has the fields that this code adds. */
export type CallFailureOf<C extends FailureCode> = CallFailure & {
  readonly code: C;
  /** A proxy can also reject a body as too large. The failure then has no problem. */
  readonly problem: C extends 'body_too_large'
    ? ProblemBody | undefined
    : C extends ProblemCode
      ? ProblemBody & MembersOf<C>
      : undefined;
};

/** Codes of failures after which the server may still carry out the call. Retry the call with the same idempotency key. */
const undecidedCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);

/**
 * A failed call. Check its `code` to decide what to do. Its fields are only declared, because fields that a class defines are
 * compiled for old browsers, which adds four helpers to each app's first load.
 */
export class CallFailure extends Error {
  declare readonly code: FailureCode;
  /** The problem in the server's response, or undefined if the response contained none. */
  declare readonly problem: ProblemBody | undefined;
  /**
   * The HTTP status from a proxy (403, 502) or from a network's sign-in page (200, 302, 511). Undefined if the server itself
   * responded, or if there was no response.
   */
  declare readonly status: number | undefined;
  /** How long to wait before the next attempt, in milliseconds. Undefined if the server did not specify a time. */
  declare readonly retryAfterMs: number | undefined;
  /**
   * `unknown` means that the call may have succeeded. If the call accepts an idempotency key, retry it with the same key: the
   * server then carries it out only once.
   */
  declare readonly outcome: 'none' | 'unknown';
  constructor(message: string, { code, problem, status, retryAfterMs, outcome }: Details, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailure';
    this.code = code;
    this.problem = problem;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.outcome = outcome;
  }
  /** True if the server has not decided the call, or if its outcome is unknown. Retry the call with the same idempotency key. */
  get isUndecided(): boolean {
    return undecidedCodes.has(this.code) || this.outcome === 'unknown';
  }
  /** True if the server has not decided the call, and the user must sign in before a retry. */
  get needsSignIn(): boolean {
    return this.code === 'authentication_required' || this.code === 'invalid_token';
  }
  /** Checks whether the failure has this code, and narrows the type of `problem` to the fields for that code. */
  is<C extends FailureCode>(code: C): this is CallFailureOf<C> {
    return this.code === code;
  }
}

/**
 * Checks whether the error is the server's final decision. A failure that requires a sign-in is not final: the call can be
 * retried with the same idempotency key.
 */
export const isFinal = (error: unknown): error is CallFailure =>
  error instanceof CallFailure && !error.isUndecided && !error.needsSignIn;

const readRetryAfter = (headers: Headers): { retryAfterMs?: number } => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {};
};

/** Converts a response with a status of 400 or above to a failure. A body that is not a problem comes from a proxy or network. */
export async function readFailure(response: Response): Promise<CallFailure> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? ((await response.json()) as ProblemBody) : undefined;
  if (!problem?.code) return answeredInBetween(response);
  return new CallFailure(problem.detail ?? problem.title, {
    code: problem.code,
    problem,
    outcome: problem.outcome ?? 'none',
    ...readRetryAfter(response.headers),
  });
}

/**
 * Creates the failure for a response that a proxy or network sent instead of the server. The outcome is unknown, unless the proxy
 * rejected the body as too large. Browsers hide the status of a redirect.
 */
export function answeredInBetween({ status, headers }: Response): CallFailure {
  const message = `HTTP ${status}, not from the server`;
  if (status === 413) return new CallFailure(message, { code: 'body_too_large', outcome: 'none' });
  const given = { status: status || 302, ...readRetryAfter(headers) };
  return new CallFailure(message, { code: 'unreachable', outcome: 'unknown', ...given });
}

export const unreachable = (cause: unknown): CallFailure =>
  new CallFailure('The server cannot be reached.', { code: 'unreachable', outcome: 'unknown' }, { cause });
