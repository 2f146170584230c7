import type { ProblemCode } from '@comanda/contracts/problems';

/** The body of a failure [RFC 9457], with the members of its own. */
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
type Facts = { code: FailureCode; problem?: ProblemBody; retryAfterMs?: number; outcome: 'none' | 'unknown' };
/** `unreachable`: there was no answer. */
export type FailureCode = ProblemCode | 'unreachable';

/** A call that failed: decide by `code`. */
export class CallFailure extends Error {
  readonly code: FailureCode;
  /** What the house answered; none where it could not be reached. */
  readonly problem: ProblemBody | undefined;
  /** How long to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** `unknown`: the call may have had its effect. Made again, it goes on with the same idempotency key where it takes one. */
  readonly outcome: 'none' | 'unknown';
  constructor(message: string, { code, problem, retryAfterMs, outcome }: Facts, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailure';
    this.code = code;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
    this.outcome = outcome;
  }
}

const readRetryAfter = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
};

/** What an answer of 400 and above says; an answer that is not the house's own counts as none. */
export async function readFailure(answer: Response): Promise<CallFailure> {
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? ((await answer.json()) as ProblemBody) : undefined;
  if (!problem) return unreachable(new Error(`HTTP ${answer.status}, not from the house`));
  const retryAfterMs = readRetryAfter(answer.headers);
  return new CallFailure(problem.detail ?? problem.title, {
    code: problem.code,
    problem,
    outcome: problem.outcome ?? 'none',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

export const unreachable = (cause: unknown): CallFailure =>
  new CallFailure('The house cannot be reached.', { code: 'unreachable', outcome: 'unknown' }, { cause });
