import type { Logger } from './logger.ts';

export type Repeated = {
  /** Ends the current pause. If a run is in progress, another one follows right after it. */
  wake: () => void;
  /** Starts no more runs, and waits for the current one. */
  close: () => Promise<void>;
};
type Options = {
  /** Does the work once. The signal is aborted by `close`. */
  run: (signal: AbortSignal) => Promise<void>;
  /** The pause after each run, in milliseconds; a function if the pauses differ. */
  everyMs: number | (() => number);
  /** The pause after a run that failed, in milliseconds; by default like the pause after each run. */
  retryMs?: number;
  /** The pause before the first run, in milliseconds; by default none. */
  firstAfterMs?: number;
  /** Nothing runs while this returns false. It is checked at least every second. */
  isReady?: () => boolean;
  logger: Pick<Logger, 'warn'>;
  /** The message with which a failure is logged. Failures in a row with the same cause are logged once. */
  failure: string;
};

const notReadyMs = 1000;

/**
 * Runs something again and again, never twice at the same time. A failed run is logged, and the next one follows. The pauses do
 * not keep the process alive.
 */
export function every({ run, everyMs, retryMs, firstAfterMs = 0, isReady, logger, failure }: Options): Repeated {
  const closing = new AbortController();
  const { signal } = closing;
  let lastCause: string | null = null;
  let isWoken = false;
  let endPause = (): void => undefined;
  const pauseMs = (): number => (typeof everyMs === 'number' ? everyMs : everyMs());

  /** Runs once, if it is ready. Returns the length of the next pause. */
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
