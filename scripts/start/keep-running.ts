import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '../servers/server-process.ts';

/** Something that runs as a process: a service, or a server with what belongs to it. */
export type Started = { pid: number; exited: Promise<Exit> };

export type Kept = {
  /** How often it has ended, although nobody asked for that. */
  ends: () => number;
  /** Resolves when it has ended, and was to. */
  over: Promise<void>;
};

const shortestPauseMs = 200;
const longestPauseMs = 10_000;
/** What ran that long has recovered from whatever it died of before. */
const recoveredMs = 30_000;

/**
 * Starts something, and again whenever it ends, after a pause that doubles from 0.2 to 10 seconds while it keeps ending.
 * Rejects if it can't be started the first time; after that, failures are told to `log` and tried again, until `ending`
 * says that it is to end. `onStart` hears of each process.
 */
export async function keepRunning(options: {
  name: string;
  start: () => Promise<Started>;
  onStart: (pid: number) => void;
  ending: () => boolean;
  log: (line: string) => void;
}): Promise<Kept> {
  const { name, start, onStart, ending, log } = options;
  let current = await start();
  let ends = 0;
  onStart(current.pid);

  async function watch(): Promise<void> {
    let pauseMs = shortestPauseMs;
    for (;;) {
      const startedAt = Date.now();
      const { signal, code } = await current.exited;
      if (ending()) return;
      ends += 1;
      if (Date.now() - startedAt > recoveredMs) pauseMs = shortestPauseMs;
      log(`${name} ended (${signal ?? `exit code ${code}`}); it is started again in ${pauseMs / 1_000} s`);
      if (!(await startAgain())) return;
      onStart(current.pid);
      log(`${name} runs again (process ${current.pid})`);
    }

    async function startAgain(): Promise<boolean> {
      for (;;) {
        await delay(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        if (ending()) return false;
        try {
          current = await start();
          return true;
        } catch (error) {
          if (ending()) return false;
          log(`${name} can't be started, next attempt in ${pauseMs / 1_000} s: ${String(error)}`);
        }
      }
    }
  }
  return { ends: () => ends, over: watch() };
}
