import { CallFailure } from '../call-failure.ts';
import { jittered } from '../random.ts';

const retryAfterMs = 2000;
/** What a list that is only compared may cost: a tenth of the time goes into reads of it. */
const pausesPerRead = 9;

export type ReadLoop = {
  isReading: () => boolean;
  /** Ends a read that is on its way, and begins another one. */
  restart: () => void;
  stop: () => void;
};

/**
 * The pause before a list is read again only to compare it: `everyMs`, but longer after a read that has taken long. A list of
 * 100,000 orders takes more than a minute, and would be read all the time.
 */
export const pauseBetweenComparisons = (everyMs: number, tookMs: number): number =>
  Math.max(everyMs, pausesPerRead * tookMs);

/** Reads again and again. `read` resolves to the milliseconds until the next one; a read that fails is repeated. */
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
      pauseMs = error.retryAfterMs ?? retryAfterMs;
    } finally {
      if (reading === own) {
        reading = null;
        nextRead = setTimeout(restart, jittered(pauseMs));
      }
    }
  }
  return { isReading: () => reading !== null, restart, stop };
}
