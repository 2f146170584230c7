import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies a process, even if a later process gets the same id. `born` is the process's start time in a system-specific format.
 */
export type ProcessIdentity = { pid: number; born: string };

/** Returns the identity of the process that has this id now. Undefined if there is none; a zombie process counts as exited. */
export function identify(pid: number): ProcessIdentity | undefined {
  const born = process.platform === 'linux' ? bornOnLinux(pid) : bornElsewhere(pid);
  return born === undefined ? undefined : { pid, born };
}

/** Returns true if this process is still running, and false if a later process has its id. */
export const isRunning = (process: ProcessIdentity): boolean => identify(process.pid)?.born === process.born;

/** Sends a signal to this process, but never to a later process with the same id. Returns false if the process has exited. */
export function signal(target: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isRunning(target)) return false;
  try {
    return process.kill(target.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Returns a process's start time in ticks since boot: the 20th field after the process's state in /proc/[pid]/stat. The state
 * follows the program's name in brackets, which may contain any character. See proc(5).
 */
function bornOnLinux(pid: number): string | undefined {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const exited = fields[0] === 'Z' || fields[0] === 'X';
  return exited ? undefined : `${readIfPresent('/proc/sys/kernel/random/boot_id')?.trim()}/${fields[19]}`;
}

function readIfPresent(path: string): string | undefined {
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
    return undefined; // ps exits with 1 if there is no such process.
  }
}
