import { setTimeout as delay } from 'node:timers/promises';
import { identify, isRunning, signal, type ProcessIdentity } from '../servers/process-identity.ts';

/** A process that is to be ended when nobody else does. */
export type Guarded = ProcessIdentity & {
  name: string;
  /** How: SIGTERM, and SIGKILL after 15 seconds; SIGKILL at once; or SIGKILL to it and everything in its group. */
  end: 'in order' | 'at once' | 'with its group';
};

/** Ends those that still run, one after the other; `log` hears of each. Resolves when none of them runs any more. */
export async function endProcesses(processes: readonly Guarded[], log: (line: string) => void): Promise<void> {
  for (const target of processes) {
    if (isRunning(target)) log(`ending ${target.name} (process ${target.pid})`);
    await end(target);
  }
}

async function end(target: Guarded): Promise<void> {
  if (target.end === 'in order') {
    signal(target, 'SIGTERM');
    signal(target, 'SIGCONT'); // a frozen one can't hear the first
    if (await endsWithin(target, 15_000)) return;
  }
  if (target.end === 'with its group') killGroup(target);
  signal(target, 'SIGKILL');
  if (!(await endsWithin(target, 15_000))) throw new Error(`${target.name} (process ${target.pid}) can't be ended`);
}

/** The system gives nobody a number that is still a group's: a group without its leader is the one that it led. */
function killGroup(leader: ProcessIdentity): void {
  const holder = identify(leader.pid);
  if (holder && holder.born !== leader.born) return;
  try {
    process.kill(-leader.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function endsWithin(target: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(target)) {
    if (Date.now() > deadline) return false;
    await delay(30);
  }
  return true;
}
