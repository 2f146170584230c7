import type { MembersOf } from '@comanda/contracts/problem';
import type { ProblemCode } from '@comanda/contracts/problems';

/** The body of a failure [RFC 9457], with the members of its code. */
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
type Details = { code: FailureCode; problem?: ProblemBody; retryAfterMs?: number; outcome: 'none' | 'unknown' };
/** `unreachable`: there was no answer. */
export type FailureCode = ProblemCode | 'unreachable';

/** A failure with this code: its `problem` has the members of the code. */
export type CallFailureOf<C extends FailureCode> = CallFailure & {
  readonly code: C;
  readonly problem: C extends ProblemCode ? ProblemBody & MembersOf<C> : undefined;
};

/** Nothing was decided: the same call can be made again with the same key, and should be. */
const undecidedCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);

/** A call that failed. Decide by `code`. */
export class CallFailure extends Error {
  readonly code: FailureCode;
  /** The answer of the server; undefined if there was none. */
  readonly problem: ProblemBody | undefined;
  /** How long to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** `unknown`: the call may have had its effect. If it takes an idempotency key, make it again: it has one effect. */
  readonly outcome: 'none' | 'unknown';
  constructor(message: string, { code, problem, retryAfterMs, outcome }: Details, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailure';
    this.code = code;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
    this.outcome = outcome;
  }
  /** Nothing was decided, or nobody knows it: make the same call again, with the same key. */
  get isUndecided(): boolean {
    return undecidedCodes.has(this.code) || this.outcome === 'unknown';
  }
  /** Nothing was decided, and the user must sign in before the call can be made again. */
  get needsSignIn(): boolean {
    return this.code === 'authentication_required' || this.code === 'invalid_token';
  }
  /** Whether the code is this one. `problem` has the members of the code then. */
  is<C extends FailureCode>(code: C): this is CallFailureOf<C> {
    return this.code === code;
  }
}

/** The server has decided, or says that it has not: a challenge comes only where the key has had no effect. */
export const isFinal = (error: unknown): error is CallFailure =>
  error instanceof CallFailure && !error.isUndecided && !error.needsSignIn;

const readRetryAfter = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
};

/** Reads an answer with a status of 400 or above. One that is not a problem came from something in between. */
export async function readFailure(answer: Response): Promise<CallFailure> {
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? ((await answer.json()) as ProblemBody) : undefined;
  if (!problem) return unreachable(new Error(`HTTP ${answer.status}, without a problem in its body`));
  const retryAfterMs = readRetryAfter(answer.headers);
  return new CallFailure(problem.detail ?? problem.title, {
    code: problem.code,
    problem,
    outcome: problem.outcome ?? 'none',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

export const unreachable = (cause: unknown): CallFailure =>
  new CallFailure('The server cannot be reached.', { code: 'unreachable', outcome: 'unknown' }, { cause });
