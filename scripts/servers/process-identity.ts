import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One process, told apart from a later one that was given the same id: `born` is its start, in the system's own words. */
export type ProcessIdentity = { pid: number; born: string };

/** The process that has this id now, or undefined if there is none. One that has ended and was not waited for is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const born = process.platform === 'linux' ? bornOnLinux(pid) : bornElsewhere(pid);
  return born === undefined ? undefined : { pid, born };
}

/** Whether that very process still runs. */
export const isRunning = (process: ProcessIdentity): boolean => identify(process.pid)?.born === process.born;

/** Sends a signal to that very process and to nobody who has its id by now; false if it has ended. */
export function signal(target: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isRunning(target)) return false;
  try {
    return process.kill(target.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** proc(5): the name, in brackets, may hold anything; after it come the state and, as the 20th, the start in ticks since boot. */
function bornOnLinux(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const gone = fields[0] === 'Z' || fields[0] === 'X';
  return gone ? undefined : `${readIfThere('/proc/sys/kernel/random/boot_id')?.trim()}/${fields[19]}`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function bornElsewhere(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line.startsWith('Z') ? undefined : line.slice(line.indexOf(' ')).trim();
  } catch {
    return undefined; // ps ends with 1 when there is no such process
  }
}
