import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, type Guarded } from '../guardian/end-processes.ts';
import { identify, isRunning, type ProcessIdentity } from '../servers/process-identity.ts';
import { refusal } from '../servers/refusal.ts';
import { writeAtomically } from './write-atomically.ts';

/** What a starter writes down of itself, for the one after it: who it is, and what it started. */
type Record = { starter: ProcessIdentity; guardian?: ProcessIdentity; processes: readonly Guarded[] };

export type OnlyStarter = {
  /** Writes down what has been started by now, in the order in which it was. */
  writeDown: (guardian: ProcessIdentity, processes: readonly Guarded[]) => void;
};

/**
 * Makes this process the only starter of the folder to which `path` belongs. What an earlier one that was killed has left
 * running is ended first; `log` hears of it. Whoever removes the file at `path` makes room for the next.
 * @throws Refusal while another one runs, with its process id
 */
export async function becomeOnlyStarter(path: string, log: (line: string) => void): Promise<OnlyStarter> {
  const starter = identify(process.pid);
  if (!starter) throw new Error('this process is not to be found');
  const mine = JSON.stringify({ starter, processes: [] } satisfies Record);
  while (!takePlace(path, mine)) await clearPlace(path, log);
  return {
    writeDown: (guardian, processes) =>
      writeAtomically(path, JSON.stringify({ starter, guardian, processes } satisfies Record)),
  };
}

function takePlace(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

async function clearPlace(path: string, log: (line: string) => void): Promise<void> {
  const text = readIfThere(path);
  if (text === undefined) return;
  const earlier = parse(text);
  if (earlier && isRunning(earlier.starter))
    throw refusal(
      `npm start runs here already: it is process ${earlier.starter.pid}. Use that one, or end it with Ctrl-C in its ` +
        `terminal (or: kill ${earlier.starter.pid}).`,
    );
  if (earlier) await endLeftovers(earlier, log);
  // Moved away before it is removed, so that of two that clear the same place neither removes what the other put there.
  const aside = `${path}.${process.pid}.stale`;
  renameSync(path, aside);
  if (readFileSync(aside, 'utf8') === text) rmSync(aside);
  else renameSync(aside, path);
}

async function endLeftovers({ guardian, processes }: Record, log: (line: string) => void): Promise<void> {
  const left = processes.filter(isRunning);
  if (left.length > 0 || (guardian && isRunning(guardian)))
    log(`the run before this one was killed; what it left is being ended`);
  const deadline = Date.now() + 120_000;
  while (guardian && isRunning(guardian) && Date.now() < deadline) await delay(50);
  await endProcesses(processes.toReversed(), log);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A starter that was killed while it wrote its first line has started nothing. */
function parse(text: string): Record | undefined {
  try {
    return JSON.parse(text) as Record;
  } catch {
    return undefined;
  }
}
