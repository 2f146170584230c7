import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ProcessIdentity } from '../servers/process-identity.ts';
import { identify } from '../servers/process-identity.ts';
import type { Guarded } from './end-processes.ts';
import type { GuardianOrder } from './guardian.ts';

/** Sees to it that nothing is left when this process can't see to it itself, because it was killed. */
export type Guardian = ProcessIdentity & {
  /** At the end, in reverse order of the first mention of their names; a later process of a name replaces the earlier. */
  guard: (process: Guarded) => void;
  /** At the end, after all processes: a file or a folder with all that is in it. */
  remove: (path: string) => void;
  /** The end is now: resolves when all of that is done. */
  finish: () => Promise<void>;
};

export async function startGuardian(): Promise<Guardian> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'guardian.ts')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  child.unref();
  child.stdin.on('error', () => undefined); // it was killed: `finish` says so
  const tell = (order: GuardianOrder): void => void child.stdin.write(`${JSON.stringify(order)}\n`);
  const pid = child.pid as number; // there is one once it has spawned
  return {
    ...(identify(pid) ?? { pid, born: 'ended at once' }),
    guard: (guarded) => {
      if (child.stdin.writable) tell({ guard: guarded });
      else process.kill(guarded.pid, 'SIGKILL'); // it was started while everything was being ended
    },
    remove: (path) => tell({ remove: path }),
    finish: async () => {
      child.ref();
      child.stdin.end();
      const [code] = await exited;
      if (code !== 0) throw new Error('the guardian process failed: something may be left running');
    },
  };
}
