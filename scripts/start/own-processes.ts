import { mkdirSync } from 'node:fs';
import { endProcesses, type Guarded } from '../guardian/end-processes.ts';
import { startGuardian } from '../guardian/start-guardian.ts';
import type { OnSpawn } from '../servers/server-process.ts';
import { keepRunning, type Kept, type Started } from './keep-running.ts';
import { becomeOnlyStarter } from './only-starter.ts';

/** All that this starter has started, so that all of it is ended, whatever happens to the starter. */
export type OwnProcesses = {
  /** Is to hear of every process at once. */
  onSpawn: OnSpawn;
  /** Keeps something running until `end`. `onStart` hears of each process that serves. */
  keep: (name: string, more: { start: () => Promise<Started>; onStart: (pid: number) => void }) => Promise<Kept>;
  /** Ends all, what was first started last, and gives up this folder. Also while things are still being started. */
  end: () => Promise<void>;
};

/**
 * Makes this process the only starter of `folder`. The files at `runFile` and of the starter itself are removed at the end.
 * @throws Refusal while another starter runs
 */
export async function ownProcesses(options: {
  starterFile: string;
  folder: string;
  runFile: string;
  say: (line: string) => void;
}): Promise<OwnProcesses> {
  const { starterFile, folder, runFile, say } = options;
  mkdirSync(folder, { recursive: true });
  const only = await becomeOnlyStarter(starterFile, say);
  const guardian = await startGuardian();
  for (const path of [runFile, starterFile]) guardian.remove(path);
  const processes = new Map<string, Guarded>();
  let ending = false;

  return {
    onSpawn: (spawned) => {
      const guarded: Guarded = { ...spawned, end: 'in order' };
      processes.set(guarded.name, guarded);
      guardian.guard(guarded);
      if (!ending) only.writeDown(guardian, [...processes.values()]);
    },
    keep: (name, more) => keepRunning({ name, ...more, ending: () => ending, log: say }),
    end: async () => {
      ending = true;
      await endProcesses([...processes.values()].toReversed(), say);
      await guardian.finish();
    },
  };
}
