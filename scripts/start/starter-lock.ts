import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { stopProcesses, type TrackedProcess } from '@comanda/local-stack/reaper/stop-processes';
import { identify, isRunning, type ProcessIdentity } from '@comanda/local-stack/process-identity';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { writeAtomically } from '@comanda/local-stack/write-atomically';

/** The lock file's content: the starter, its reaper, and the processes that the starter has started. */
type LockContent = { starter: ProcessIdentity; reaper?: ProcessIdentity; processes: readonly TrackedProcess[] };

export type StarterLock = {
  /** Records the processes so far, in the order of their start. */
  write: (reaper: ProcessIdentity, processes: readonly TrackedProcess[]) => void;
};

/**
 * Acquires the lock file at `path`, which allows only one starter at a time. If an earlier starter was killed, first stops the
 * processes that it left behind. Removing the file releases the lock.
 * @throws Refusal with the process id of the starter that has the lock
 */
export async function acquireStarterLock(path: string, log: (line: string) => void): Promise<StarterLock> {
  const starter = identify(process.pid);
  if (!starter) throw new Error('This process is not in the process table.');
  const content = JSON.stringify({ starter, processes: [] } satisfies LockContent);
  while (!createLockFile(path, content)) await removeStaleLock(path, log);
  return {
    write: (reaper, processes) =>
      writeAtomically(path, JSON.stringify({ starter, reaper, processes } satisfies LockContent)),
  };
}

/** Returns the starter that has the lock file at `path`, or null if none is running. */
export function runningStarter(path: string): ProcessIdentity | null {
  const starter = parse(readIfPresent(path) ?? '')?.starter;
  return starter && isRunning(starter) ? starter : null;
}

/**
 * Ends the starter that has the lock file at `path`, as Ctrl-C would, and waits until that starter has exited. Returns false if
 * none is running.
 */
export async function stopStarter(path: string): Promise<boolean> {
  const starter = runningStarter(path);
  if (!starter) return false;
  process.kill(starter.pid, 'SIGTERM');
  while (isRunning(starter)) await delay(50);
  return true;
}

/** Creates the lock file. Returns false if it already exists. */
function createLockFile(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

async function removeStaleLock(path: string, log: (line: string) => void): Promise<void> {
  const text = readIfPresent(path);
  if (text === undefined) return;
  const earlier = parse(text);
  if (earlier && isRunning(earlier.starter))
    throw refusal(
      `npm start already runs in this folder, as process ${earlier.starter.pid}. Use it, or stop it with Ctrl-C in its ` +
        `terminal, or with npm start -- --stop.`,
    );
  if (earlier) await stopLeftovers(earlier, log);
  // Two starters may get here at the same time. Each first renames the file and then checks its content, so neither removes a
  // lock that the other has just acquired.
  const stale = `${path}.${process.pid}.stale`;
  renameSync(path, stale);
  if (readFileSync(stale, 'utf8') === text) rmSync(stale);
  else renameSync(stale, path);
}

async function stopLeftovers({ reaper, processes }: LockContent, log: (line: string) => void): Promise<void> {
  const remaining = processes.filter(isRunning);
  if (remaining.length > 0 || (reaper && isRunning(reaper)))
    log('the previous run was killed; stopping the processes that it left');
  const deadline = Date.now() + 120_000;
  while (reaper && isRunning(reaper) && Date.now() < deadline) await delay(50);
  await stopProcesses(processes.toReversed(), log);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Parses the lock file. Returns undefined for an incomplete file, whose starter was killed before it had started anything. */
function parse(text: string): LockContent | undefined {
  try {
    return JSON.parse(text) as LockContent;
  } catch {
    return undefined;
  }
}
