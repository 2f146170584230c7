import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, unavailable } from '@comanda/contracts/problem';
import { isConflict } from './transactions.ts';

/** Thrown by a store if the document has changed since it was read. Nothing was written. */
export class WriteConflict extends Error {
  override name = 'WriteConflict';
}

type Options = {
  /** The time after which no new attempt starts, in milliseconds of `performance.now()`. */
  deadline: number;
  /** The maximum number of attempts; by default, only the deadline limits them. */
  maxAttempts?: number;
  /** The longest pause before the next attempt, in milliseconds; by default 8. The pauses are random. */
  maxPauseMs?: number;
  /** Returns true if another attempt should follow after an error that isn't a conflict. */
  isRetryable?: (error: unknown) => boolean;
  /** Called with each error that leads to another attempt, and with the error of the last attempt. */
  onConflict?: (error: unknown) => Promise<void> | void;
};

export const tooManyWrites = (): Problem =>
  unavailable({ detail: 'Too many concurrent writes. Repeat the request in a second.' });

/**
 * Repeats `attempt` from the beginning as long as another write comes first: after a `WriteConflict`, or after MongoDB has
 * aborted the transaction because of a conflict.
 * @throws 503 `service_unavailable` at the deadline or after `maxAttempts`; any other error from `attempt` immediately
 */
export async function retryOnConflict<T>(options: Options, attempt: () => Promise<T>): Promise<T> {
  const { deadline, maxAttempts = Infinity, maxPauseMs = 8, isRetryable, onConflict } = options;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WriteConflict) && !isConflict(error) && !isRetryable?.(error)) throw error;
      await onConflict?.(error);
      if (performance.now() > deadline) throw tooManyWrites();
      if (maxPauseMs > 0) await sleep(Math.random() * maxPauseMs);
      if (attempts >= maxAttempts) throw tooManyWrites();
    }
  }
}
