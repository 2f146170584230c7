import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { identify, type ProcessIdentity } from '../process-identity.ts';
import type { ReaperCommand } from './reaper.ts';
import type { TrackedProcess } from './stop-processes.ts';

/** Stops processes and removes files when this process exits, even if it is killed. */
export type Reaper = ProcessIdentity & {
  /**
   * Tracks a process. Processes are stopped in reverse order of tracking. A process with a known name replaces the earlier one.
   */
  track: (process: TrackedProcess) => void;
  /** Registers a file or folder to remove after all processes have stopped. */
  remove: (path: string) => void;
  /** Stops and removes everything now. */
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
  child.stdin.on('error', () => undefined); // the reaper was killed: `finish` reports it
  const send = (command: ReaperCommand): void => void child.stdin.write(`${JSON.stringify(command)}\n`);
  const pid = child.pid as number; // the id is defined after 'spawn'
  return {
    ...(identify(pid) ?? { pid, born: 'exited at once' }),
    track: (tracked) => {
      if (child.stdin.writable) send({ track: tracked });
      else process.kill(tracked.pid, 'SIGKILL'); // the process was started during shutdown
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
