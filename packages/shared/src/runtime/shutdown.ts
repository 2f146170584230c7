import type { Logger } from './logger.ts';
import { withTimeLimit } from './time-limit.ts';

export type Shutdown = {
  /** Registers how to close something that was just opened. `timeoutMs` is 5,000 by default. */
  add: (what: string, close: () => Promise<void> | void, options?: { timeoutMs?: number }) => void;
  /** Closes everything, in reverse order of opening. A step that fails or takes too long is logged, and the rest still closes. */
  close: () => Promise<void>;
};

/** Creates a shutdown, which collects what a service has opened, to close it in reverse order. */
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
