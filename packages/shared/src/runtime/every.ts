import type { Logger } from './logger.ts';

export type Repeated = {
  /** Ends the current pause. If a run is in progress, another run follows without a pause. */
  wake: () => void;
  /** Starts no more runs, and waits until the current run has ended. */
  close: () => Promise<void>;
};
type Options = {
  /** Does the work once. `close` aborts the signal. */
  run: (signal: AbortSignal) => Promise<void>;
  /** The pause after each run, in milliseconds; a function if the pauses differ. */
  everyMs: number | (() => number);
  /** The pause after a failed run, in milliseconds; by default the same as after other runs. */
  retryMs?: number;
  /** The pause before the first run, in milliseconds; by default none. */
  firstAfterMs?: number;
  /** As long as this returns false, nothing is run. It is called at least every second. */
  isReady?: () => boolean;
  logger: Pick<Logger, 'warn'>;
  /** The message that is logged for a failed run. If several runs in a row fail for the same reason, it is logged once. */
  failure: string;
};

const notReadyMs = 1000;

/**
 * Runs a function again and again, but never twice at the same time. If a run fails, the failure is logged, and the next run
 * follows. The pauses do not keep the process alive.
 */
export function every({ run, everyMs, retryMs, firstAfterMs = 0, isReady, logger, failure }: Options): Repeated {
  const closing = new AbortController();
  const { signal } = closing;
  let lastCause: string | null = null;
  let isWoken = false;
  let endPause = (): void => undefined;
  const pauseMs = (): number => (typeof everyMs === 'number' ? everyMs : everyMs());

  /** Calls `run` once, if `isReady` returns true. Returns the length of the next pause in milliseconds. */
  async function runOnce(): Promise<number> {
    if (isReady && !isReady()) return Math.min(notReadyMs, pauseMs());
    try {
      await run(signal);
      lastCause = null;
      return pauseMs();
    } catch (error) {
      const cause = String(error);
      if (!signal.aborted && cause !== lastCause) logger.warn({ err: error }, failure);
      lastCause = cause;
      return retryMs ?? pauseMs();
    }
  }
  async function pause(ms: number): Promise<void> {
    if (!isWoken && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      endPause = resolve;
      const timer = setTimeout(resolve, ms).unref();
      await promise;
      clearTimeout(timer);
    }
    isWoken = false;
  }
  async function repeat(): Promise<void> {
    if (firstAfterMs > 0) await pause(firstAfterMs);
    while (!signal.aborted) await pause(await runOnce());
  }
  const repeating = repeat();

  return {
    wake: () => {
      isWoken = true;
      endPause();
    },
    close: async () => {
      closing.abort();
      endPause();
      await repeating;
    },
  };
}
