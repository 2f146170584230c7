import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { identify, type ProcessIdentity } from '../process-identity.ts';
import type { ReaperCommand } from './reaper.ts';
import type { TrackedProcess } from './stop-processes.ts';

/** Stops processes and removes files when this process exits or is killed. */
export type Reaper = ProcessIdentity & {
  /**
   * Tracks a process. A process replaces the tracked process with the same name. At the end, processes are stopped in reverse
   * order.
   */
  track: (process: TrackedProcess) => void;
  /** Registers a file or folder to be removed after all processes have stopped. */
  remove: (path: string) => void;
  /** Immediately stops all processes and removes all files. */
  finish: () => Promise<void>;
};

export async function startReaper(): Promise<Reaper> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  child.unref();
  child.stdin.on('error', () => undefined); // The reaper was killed, which `finish` reports.
  const send = (command: ReaperCommand): void => void child.stdin.write(`${JSON.stringify(command)}\n`);
  const pid = child.pid as number; // The id is defined once 'spawn' has been emitted.
  return {
    ...(identify(pid) ?? { pid, born: 'exited at once' }),
    track: (tracked) => {
      if (child.stdin.writable) send({ track: tracked });
      else process.kill(tracked.pid, 'SIGKILL'); // This process was started while everything was being stopped.
    },
    remove: (path) => send({ remove: path }),
    finish: async () => {
      child.ref();
      child.stdin.end();
      const [code] = await exited;
      if (code !== 0) throw new Error('The reaper process failed. Some processes may still run.');
    },
  };
}
