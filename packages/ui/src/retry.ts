import { CallFailure } from '@comanda/client';
import { signal } from '@preact/signals';

const retryAfterMs = 5_000;

/** Whether the server has rejected the read: the same request would get the same response. */
const isRefused = ({ problem, isUndecided }: CallFailure): boolean =>
  problem !== undefined && problem.status < 500 && !isUndecided;

/** Reads again 5 s after each failed read, until it is closed: no event brings what could not be read. */
export function createRetry(read: () => void) {
  /** Why the last read failed; null if it did not. */
  const failure = signal<unknown>(null);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    failure,
    /** Call it after a failed read. @throws an error that is a defect of the app */
    fail: (error: unknown): void => {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error;
      clearTimeout(timer);
      if (!isClosed && !isRefused(error)) timer = setTimeout(read, retryAfterMs);
    },
    /** Call it after a successful read. */
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
