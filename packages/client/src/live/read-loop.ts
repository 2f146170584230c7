import { CallFailure } from '../call-failure.ts';
import { jittered } from '../random.ts';

const retryAfterMs = 2000;

export type ReadLoop = {
  isReading: () => boolean;
  /** Ends a read that is on its way, and begins another one. */
  restart: () => void;
  stop: () => void;
};

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
