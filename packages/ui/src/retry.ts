import { CallFailure } from '@comanda/client';
import { signal } from '@preact/signals';

const retryAfterMs = 5_000;

/** Returns true if the server has rejected the request, because a retry would get the same response. */
const isRefused = ({ problem, isUndecided }: CallFailure): boolean =>
  problem !== undefined && problem.status < 500 && !isUndecided;

/** Calls `read` 5 s after each failed request until it is closed, because no event delivers data that could not be fetched. */
export function createRetry(read: () => void) {
  /** The error from the last request, or null if it succeeded. */
  const failure = signal<unknown>(null);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    failure,
    /** Must be called after a failed request. @throws any error that is a defect in the app */
    fail: (error: unknown): void => {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error;
      clearTimeout(timer);
      if (!isClosed && !isRefused(error)) timer = setTimeout(read, retryAfterMs);
    },
    /** Must be called after a successful request. */
    succeed: (): void => {
      failure.value = null;
      clearTimeout(timer);
    },
    close: (): void => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
