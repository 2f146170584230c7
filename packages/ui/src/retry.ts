import { CallFailure } from '@comanda/client';
import { signal } from '@preact/signals';

const retryAfterMs = 5_000;

/** The server has said no: the same question gets the same answer. */
const isRefused = ({ problem, isUndecided }: CallFailure): boolean =>
  problem !== undefined && problem.status < 500 && !isUndecided;

/** Reads again 5 s after each read that failed, until it is closed: no event brings what could not be read. */
export function createRetry(read: () => void) {
  /** Why the last read failed; null if it did not. */
  const failure = signal<unknown>(null);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    failure,
    /** To be called after a read that failed. A defect of the app is thrown on. */
    fail: (error: unknown): void => {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error;
      clearTimeout(timer);
      if (!isClosed && !isRefused(error)) timer = setTimeout(read, retryAfterMs);
    },
    /** To be called after a read that did not. */
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
