import { mkdirSync } from 'node:fs';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { stopProcesses, type TrackedProcess } from '@comanda/local-stack/reaper/stop-processes';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';
import { keepRunning, type KeptProcess, type StartedProcess } from './keep-running.ts';
import { acquireStarterLock } from './starter-lock.ts';

/** Tracks every process that this starter has started and stops them all, even if the starter is killed. */
export type ProcessSupervisor = {
  /** Must be called for every process right after it was spawned. */
  onSpawn: OnSpawn;
  /** Restarts something whenever it exits, until `stopAll`. `onStart` receives each new process id. */
  keep: (
    name: string,
    options: { start: () => Promise<StartedProcess>; onStart: (pid: number) => void },
  ) => Promise<KeptProcess>;
  /** Stops all processes in reverse order of their first start and releases the folder. May be called during start-up. */
  stopAll: () => Promise<void>;
};

/**
 * Makes this process the only starter in `folder`. The files `runFile` and `starterFile` are removed at the end.
 * @throws Refusal while another starter runs
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
