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
}

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
