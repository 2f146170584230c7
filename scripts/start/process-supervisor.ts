import { mkdirSync } from 'node:fs';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { stopProcesses, type TrackedProcess } from '@comanda/local-stack/reaper/stop-processes';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';
import { keepRunning, type KeptProcess, type StartedProcess } from './keep-running.ts';
import { acquireStarterLock } from './starter-lock.ts';

/** Tracks all processes that this starter has started. All of them are stopped at the end, even if the starter is killed. */
export type ProcessSupervisor = {
  /** Call this right after each process has been spawned. */
  onSpawn: OnSpawn;
  /** Starts a process and restarts it after each exit, until `stopAll`. Calls `onStart` with each new process id. */
  keep: (
    name: string,
    options: { start: () => Promise<StartedProcess>; onStart: (pid: number) => void },
  ) => Promise<KeptProcess>;
  /** Stops all processes in the reverse order of their first start, and releases the folder. May be called during the start. */
  stopAll: () => Promise<void>;
};

/**
 * Makes this process the only starter in `folder`. It removes `runFile` and `starterFile` at the end.
 * @throws Refusal while another starter is running
 */
export async function createProcessSupervisor(options: {
  starterFile: string;
  folder: string;
  runFile: string;
  log: (line: string) => void;
}): Promise<ProcessSupervisor> {
  const { starterFile, folder, runFile, log } = options;
  mkdirSync(folder, { recursive: true });
  const lock = await acquireStarterLock(starterFile, log);
  const reaper = await startReaper();
  for (const path of [runFile, starterFile]) reaper.remove(path);
  const processes = new Map<string, TrackedProcess>();
  let stopping = false;

  return {
    onSpawn: (spawned) => {
      const tracked: TrackedProcess = { ...spawned, stop: 'gracefully' };
      processes.set(tracked.name, tracked);
      reaper.track(tracked);
      if (!stopping) lock.write(reaper, [...processes.values()]);
    },
    keep: (name, { start, onStart }) => keepRunning({ name, start, onStart, isStopping: () => stopping, log }),
    stopAll: async () => {
      stopping = true;
      await stopProcesses([...processes.values()].toReversed(), log);
      await reaper.finish();
    },
  };
}
