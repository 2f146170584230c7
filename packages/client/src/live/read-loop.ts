import { CallFailure, isFinal } from '../call-failure.ts';
import { jittered } from '../random.ts';

const retryAfterMs = 2000;
/** How long to wait after the server has rejected a request, in milliseconds. It would probably reject an earlier retry too. */
const retryRejectedAfterMs = 60_000;
/** The minimum pause as a multiple of the last fetch's duration, so that fetches take up at most a tenth of the time. */
const pausesPerRead = 9;

export type ReadLoop = {
  isReading: () => boolean;
  /** Aborts the running fetch and starts a new one. */
  restart: () => void;
  stop: () => void;
};

/**
 * Returns the pause before the next comparison, in milliseconds. This is `everyMs`, or longer if the last fetch was slow.
 * Otherwise, a list of 100,000 orders would be fetched constantly, because one fetch takes more than a minute.
 */
export const pauseBetweenComparisons = (everyMs: number, tookMs: number): number =>
  Math.max(everyMs, pausesPerRead * tookMs);

const isRejected = (error: CallFailure): boolean => isFinal(error) && (error.problem?.status ?? 500) < 500;

/**
 * Creates a loop that calls `read` repeatedly, and retries it after a failure. `read` returns the pause until the next call, in
 * milliseconds.
 */
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
