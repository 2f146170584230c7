import { problem } from '@comanda/contracts/problems';

type Turn<T> = {
  who: string;
  /** By `performance.now()`: until when it waits for the one before. */
  deadline: number;
  /** `last` makes the turn last until something else has ended as well, although its caller may have been answered. */
  work: (last: (until: Promise<unknown>) => void) => Promise<T>;
};

/**
 * One call of `who` at a time in this process; the next one waits for it up to `deadline`.
 * @throws 409 `request_in_progress`
 */
export function createTurns() {
  const running = new Map<string, Promise<unknown>>();
  return async <T>({ who, deadline, work }: Turn<T>): Promise<T> => {
    for (let first = running.get(who); first; first = running.get(who)) {
      await within(first, { deadline, otherwise: () => problem('request_in_progress', {}, { 'Retry-After': '1' }) });
    }
    const lasting: Promise<unknown>[] = [];
    const own = work((until) => void lasting.push(until));
    // How it ends is its own caller's matter.
    const ended = own.then(ignore, ignore).then(() => Promise.allSettled(lasting));
    running.set(
      who,
      ended.then(() => running.delete(who)),
    );
    return own;
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
