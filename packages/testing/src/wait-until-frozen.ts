import { readdirSync, readFileSync } from 'node:fs';

/**
 * Waits until all threads of a process have stopped after a `SIGSTOP`. On a busy machine, this takes a moment, in which the
 * process still responds.
 */
export function waitUntilFrozen(pid: number): void {
  if (process.platform !== 'linux') return;
  const tasks = `/proc/${pid}/task`;
  const runs = (thread: string): boolean => !/\) [tTZX] /.test(readFileSync(`${tasks}/${thread}/stat`, 'utf8'));
  const deadline = Date.now() + 5_000;
  while (readdirSync(tasks).some(runs)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} is not frozen`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
}
