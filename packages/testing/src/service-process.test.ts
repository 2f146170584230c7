import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hangsInNode, threadsOf } from './service-process.ts';
import { until } from './until.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('when a program fails that has started a service, then the service ends with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-process-'));
  const program = join(folder, 'program.mjs');
  const module = new URL('./service-process.ts', import.meta.url).href;
  writeFileSync(
    program,
    `import { startServiceProcess } from ${JSON.stringify(module)};
     const { pid } = await startServiceProcess('gateway', ${JSON.stringify({ REDIS_URL: 'redis://127.0.0.1:1' })});
     console.log(pid());
     throw new Error('It fails.');`,
  );

  const failed = promisify(execFile)(process.execPath, ['--conditions=source', program]);
  const { stdout, stderr } = await failed.catch((error: { stdout: string; stderr: string }) => error);

  rmSync(folder, { recursive: true });
  expect(stderr).toContain('It fails.');
  await until(() => !isRunning(Number(stdout)), { what: 'the end of the service' });
});

test('when a process does not end, then it can be told what its threads do', () => {
  // Only Linux says it.
  const expected = process.platform === 'linux' ? /^thread .+: [RSD] in \S+, [1-9]\d* ms of a processor$/m : /^nobody/;

  expect(threadsOf(process.pid)).toMatch(expected);
});

const thread = (name: string, waitsIn: string): string => `thread ${name}: S in ${waitsIn}, 10 ms of a processor`;
const inNodesEnd = ['node-MainThread', 'node-V8Worker', 'SignalInspector'].map((name) => thread(name, 'futex_do_wait'));
test.each([
  ['waits for threads that wait for it', inNodesEnd, true],
  ['has not come to its end', [...inNodesEnd, thread('DelayedTaskSche', 'ep_poll')], false],
  ['waits for something else', [thread('node-MainThread', 'ep_poll'), ...inNodesEnd.slice(1)], false],
])(
  'when the main thread of a process %s, then that is told from a service that does not close',
  (_, threads, hangs) => {
    expect(hangsInNode(threads.join('\n'))).toBe(hangs);
  },
);
