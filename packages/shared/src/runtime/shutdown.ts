import type { Logger } from './logger.ts';
import { withTimeLimit } from './time-limit.ts';

export type Shutdown = {
  /** Registers a function that closes something. `what` is its name in the log. `timeoutMs` is 5,000 by default. */
  add: (what: string, close: () => Promise<void> | void, options?: { timeoutMs?: number }) => void;
  /**
   * Closes everything that was added, in reverse order. If a function fails or exceeds its time limit, this is logged, and the
   * rest is still closed.
   */
  close: () => Promise<void>;
};

/** Creates an object to which a service adds everything that it opens, so that all of it can be closed in reverse order. */
export function createShutdown(logger: Logger): Shutdown {
  const steps: { what: string; close: () => Promise<void> | void; timeoutMs: number }[] = [];
  return {
    add: (what, close, { timeoutMs = 5000 } = {}) => void steps.push({ what, close, timeoutMs }),
    close: async () => {
      for (const { what, close, timeoutMs } of steps.splice(0).toReversed()) {
        try {
          const onTimeout = (): Error => new Error(`not closed after ${timeoutMs} ms`);
          await withTimeLimit(Promise.resolve().then(close), { deadline: performance.now() + timeoutMs, onTimeout });
        } catch (error) {
          logger.error({ err: error, what }, 'could not close');
        }
      }
    },
  };
}
