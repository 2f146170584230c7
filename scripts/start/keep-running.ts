import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '@comanda/local-stack/servers/server-process';

/** A running service, or a server with its helper processes. */
export type StartedProcess = { pid: number; exited: Promise<Exit> };

export type KeptProcess = {
  /** The number of unexpected exits so far. */
  exitCount: () => number;
  /** Resolves when the process has exited during shutdown. */
  stopped: Promise<void>;
};

const minPauseMs = 200;
const maxPauseMs = 10_000;
/**
 * How long a process must run to count as healthy, in milliseconds. If a healthy process exits, the pause before its restart is
 * the shortest one again.
 */
const healthyAfterMs = 30_000;

/**
 * Starts a process, and restarts it after each exit. The pause before a restart doubles from 0.2 to 10 seconds. Rejects if the
 * first start fails. Logs and retries later failures until `isStopping` returns true. Calls `onStart` with each process id.
 */
export async function keepRunning(options: {
  name: string;
  start: () => Promise<StartedProcess>;
  onStart: (pid: number) => void;
  isStopping: () => boolean;
  log: (line: string) => void;
}): Promise<KeptProcess> {
  const { name, start, onStart, isStopping, log } = options;
  let current = await start();
  let exitCount = 0;
  onStart(current.pid);

  async function watch(): Promise<void> {
    let pauseMs = minPauseMs;
    for (;;) {
      const startedAt = Date.now();
      const { signal, code } = await current.exited;
      if (isStopping()) return;
      exitCount += 1;
      if (Date.now() - startedAt > healthyAfterMs) pauseMs = minPauseMs;
      log(`${name} exited (${signal ?? `exit code ${code}`}); restarting it in ${pauseMs / 1_000} s`);
      if (!(await restart())) return;
      onStart(current.pid);
      log(`${name} runs again (process ${current.pid})`);
    }

    /** Restarts the process. Returns false if `isStopping` returns true first. */
    async function restart(): Promise<boolean> {
      for (;;) {
        await delay(pauseMs);
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
        if (isStopping()) return false;
        try {
          current = await start();
          return true;
        } catch (error) {
          if (isStopping()) return false;
          log(`${name} can't be started, next attempt in ${pauseMs / 1_000} s: ${String(error)}`);
        }
      }
    }
  }
  return { exitCount: () => exitCount, stopped: watch() };
}
