import { CallFailure } from '@comanda/client';
import { signal } from '@preact/signals';

const retryAfterMs = 5_000;

/** Returns true if the server has rejected the request: the same request would get the same response again. */
const isRefused = ({ problem, isUndecided }: CallFailure): boolean =>
  problem !== undefined && problem.status < 500 && !isUndecided;

/** Calls `read` again 5 s after each failed request, until it is closed: no event delivers what could not be fetched. */
export function createRetry(read: () => void) {
  /** Why the last request failed; null if it succeeded. */
  const failure = signal<unknown>(null);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    failure,
    /** Call it after a failed request. @throws an error that is a defect in the app */
    fail: (error: unknown): void => {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error;
      clearTimeout(timer);
      if (!isClosed && !isRefused(error)) timer = setTimeout(read, retryAfterMs);
    },
    /** Call it after a successful request. */
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
