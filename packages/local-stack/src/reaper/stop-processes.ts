import { setTimeout as delay } from 'node:timers/promises';
import { identify, isRunning, signal, type ProcessIdentity } from '../process-identity.ts';

/** A process that must be stopped at the end. */
export type TrackedProcess = ProcessIdentity & {
  name: string;
  /**
   * - `gracefully`: SIGTERM, then SIGKILL after 15 seconds
   * - `kill`: SIGKILL
   * - `kill group`: SIGKILL to the process and to every process in its group
   */
  stop: 'gracefully' | 'kill' | 'kill group';
};

const timeoutMs = 15_000;

/**
 * Stops those of the processes that are still running, one after the other, and logs each.
 * @throws Error if a process is still running 15 seconds after SIGKILL
 */
export async function stopProcesses(processes: readonly TrackedProcess[], log: (line: string) => void): Promise<void> {
  for (const target of processes) {
    if (isRunning(target)) log(`stopping ${target.name} (process ${target.pid})`);
    await stop(target);
  }
}

async function stop(target: TrackedProcess): Promise<void> {
  if (target.stop === 'gracefully') {
    signal(target, 'SIGTERM');
    signal(target, 'SIGCONT'); // A process paused by SIGSTOP handles SIGTERM only after SIGCONT.
    if (await exitsWithin(target, timeoutMs)) return;
  }
  if (target.stop === 'kill group') killGroup(target);
  signal(target, 'SIGKILL');
  if (!(await exitsWithin(target, timeoutMs)))
    throw new Error(`${target.name} (process ${target.pid}) can't be stopped`);
}

/**
 * Kills all processes in a group, even if the process that leads it has exited. The kernel does not reuse a group's id while a
 * process in the group is running, so the remaining processes belong to this run.
 */
function killGroup(leader: ProcessIdentity): void {
  const current = identify(leader.pid);
  if (current && current.born !== leader.born) return;
  try {
    process.kill(-leader.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function exitsWithin(target: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning(target)) {
    if (Date.now() > deadline) return false;
    await delay(30);
  }
  return true;
}
