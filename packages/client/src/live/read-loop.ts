import { CallFailure, isFinal } from '../call-failure.ts';
import { jittered } from '../random.ts';

const retryAfterMs = 2000;
/** A server that rejects a request usually does so for longer. */
const retryRejectedAfterMs = 60_000;
/** The pause as a multiple of the fetch time, so that fetches take at most a tenth of the time. */
const pausesPerRead = 9;

export type ReadLoop = {
  isReading: () => boolean;
  /** Aborts the running fetch and starts a new one. */
  restart: () => void;
  stop: () => void;
};

/**
 * Returns the pause before the next comparison, which is `everyMs` or longer if the last fetch was slow. Otherwise a list of
 * 100,000 orders, which takes more than a minute, would be fetched all the time.
 */
export const pauseBetweenComparisons = (everyMs: number, tookMs: number): number =>
  Math.max(everyMs, pausesPerRead * tookMs);

const isRejected = (error: CallFailure): boolean => isFinal(error) && (error.problem?.status ?? 500) < 500;

/** Calls `read` repeatedly, and retries failed calls. `read` resolves to the milliseconds until the next call. */
export function createReadLoop(read: (signal: AbortSignal) => Promise<number>): ReadLoop {
  let reading: AbortController | null = null;
  let nextRead: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    reading?.abort();
    reading = null;
    clearTimeout(nextRead);
  }
  function restart(): void {
    stop();
    void run();
  }
  async function run(): Promise<void> {
    const own = new AbortController();
    reading = own;
    let pauseMs = retryAfterMs;
    try {
      pauseMs = await read(own.signal);
    } catch (error) {
      if (own.signal.aborted) return;
      if (!(error instanceof CallFailure)) throw error;
      pauseMs = error.retryAfterMs ?? (isRejected(error) ? retryRejectedAfterMs : retryAfterMs);
    } finally {
      if (reading === own) {
        reading = null;
        nextRead = setTimeout(restart, jittered(pauseMs));
      }
    }
  }
  return { isReading: () => reading !== null, restart, stop };
}
