import { problem } from '@comanda/shared/contracts/problems';

/**
 * One call of `who` at a time in this process; the next one waits for it up to `waitMs`.
 * @throws 409 `request_in_progress`
 */
export function createTurns() {
  const running = new Map<string, Promise<unknown>>();
  return async <T>({ who, waitMs }: { who: string; waitMs: number }, work: () => Promise<T>): Promise<T> => {
    const deadline = performance.now() + waitMs;
    for (let first = running.get(who); first; first = running.get(who)) {
      // How it ends is its own caller's matter.
      const ended = first.then(ignore, ignore);
      // oxlint-disable-next-line no-await-in-loop -- others may have waited for the same one
      await within(ended, { deadline, otherwise: () => problem('request_in_progress', {}, { 'Retry-After': '1' }) });
    }
    const own = work();
    running.set(who, own);
    try {
      return await own;
    } finally {
      running.delete(who);
    }
  };
}

const ignore = (): void => undefined;

/** What `work` gives, unless it takes past `deadline` [performance.now()]; it goes on then, unheard. */
export async function within<T>(
  work: Promise<T>,
  { deadline, otherwise }: { deadline: number; otherwise: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(otherwise()), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
