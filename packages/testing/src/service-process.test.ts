import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasClosed, threadsOf } from './service-process.ts';
import { until } from './until.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a service exits when the program that started it crashes', async () => {
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

test('threadsOf reports what each thread in a process is doing', () => {
  // Only Linux reports what a thread is doing.
  const expected = process.platform === 'linux' ? /^thread .+: [RSD] in \S+, [1-9]\d* ms of a processor$/m : /^nobody/;

  expect(threadsOf(process.pid)).toMatch(expected);
});

const line = (msg: string): string => `{"level":"info","msg":"${msg}"}\n`;
test.each([
  ['has closed', line('closing') + line('closed'), true],
  ['is closing', line('closing'), false],
  ['was started again after closing', line('closed') + line('listening'), false],
])('the log shows whether a service %s', (_, log, closed) => {
  expect(hasClosed(log)).toBe(closed);
});
