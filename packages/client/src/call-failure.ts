import type { MembersOf } from '@comanda/contracts/problem';
import type { ProblemCode } from '@comanda/contracts/problems';

/** The body of an error response [RFC 9457], with the fields for its code. */
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
  problem?: ProblemBody;
  status?: number;
  retryAfterMs?: number;
  outcome: 'none' | 'unknown';
};
/**
 * `unreachable`: the server did not respond. If something between client and server responded instead, the failure has a
 * `status`.
 */
export type FailureCode = ProblemCode | 'unreachable';

/** A failure with this code, whose `problem` has the fields for the code. */
export type CallFailureOf<C extends FailureCode> = CallFailure & {
  readonly code: C;
  /** A proxy may also reject a body as too large, without sending a problem. */
  readonly problem: C extends 'body_too_large'
    ? ProblemBody | undefined
    : C extends ProblemCode
      ? ProblemBody & MembersOf<C>
      : undefined;
};

/** Codes after which nothing is decided: the same call can and should be retried with the same idempotency key. */
const undecidedCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);

/** A failed call. Check its `code` to decide what to do. */
export class CallFailure extends Error {
  readonly code: FailureCode;
  /** The problem in the server's response; undefined if there is none. */
  readonly problem: ProblemBody | undefined;
  /**
   * The HTTP status if something between client and server responded: a proxy (403, 502), or a network's sign-in page (200, 302,
   * 511). Otherwise undefined.
   */
  readonly status: number | undefined;
  /** How long to wait before the next attempt, in milliseconds; undefined if the server did not say. */
  readonly retryAfterMs: number | undefined;
  /**
   * `unknown`: the call may have had its effect. If it takes an idempotency key, retry it with the same key: it then has only one
   * effect.
   */
  readonly outcome: 'none' | 'unknown';
  constructor(message: string, { code, problem, status, retryAfterMs, outcome }: Details, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailure';
    this.code = code;
    this.problem = problem;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.outcome = outcome;
  }
  /** True if nothing was decided, or the decision is unknown. Retry the same call with the same idempotency key. */
  get isUndecided(): boolean {
    return undecidedCodes.has(this.code) || this.outcome === 'unknown';
  }
  /** True if nothing was decided, and the user must sign in before the call can be retried. */
  get needsSignIn(): boolean {
    return this.code === 'authentication_required' || this.code === 'invalid_token';
  }
  /** Checks whether the failure has this code. If so, `problem` has the fields for the code. */
  is<C extends FailureCode>(code: C): this is CallFailureOf<C> {
    return this.code === code;
  }
}

/**
 * Checks whether the failure is final because the server has decided. A failure that requires a sign-in is not final, because it
 * occurs only if the idempotency key has had no effect.
 */
export const isFinal = (error: unknown): error is CallFailure =>
  error instanceof CallFailure && !error.isUndecided && !error.needsSignIn;

const readRetryAfter = (headers: Headers): { retryAfterMs?: number } => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {};
};

/** Reads a response with a status of 400 or above. If the body is not a problem, something between client and server sent it. */
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
 * Creates the failure for a call that something between client and server responded to. Its outcome is unknown, unless the body
 * was too large to be passed on. Browsers hide the status of a redirect.
 */
export function answeredInBetween({ status, headers }: Response): CallFailure {
  const message = `HTTP ${status}, not from the server`;
  if (status === 413) return new CallFailure(message, { code: 'body_too_large', outcome: 'none' });
  const given = { status: status || 302, ...readRetryAfter(headers) };
  return new CallFailure(message, { code: 'unreachable', outcome: 'unknown', ...given });
}

export const unreachable = (cause: unknown): CallFailure =>
  new CallFailure('The server cannot be reached.', { code: 'unreachable', outcome: 'unknown' }, { cause });
