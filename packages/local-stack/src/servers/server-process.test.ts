import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startProcess, waitUntilReady } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-process-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  // The system kills a program with this signal if the program uses instructions that the CPU lacks.
  ['kill -ILL $$', 'AVX'],
  ['exit 3', 'exit code 3'],
])('the error for a server that ended with %s shows why it failed to start', async (script, reason) => {
  const logFile = join(folder, 'log');
  const program = { name: 'MongoDB', command: '/bin/sh', args: ['-c', script], env: {}, cwd: folder, logFile };
  const process = await startProcess(program);
  const ready = (): Promise<never> => Promise.reject(new Error('not ready'));

  await expect(waitUntilReady({ name: 'MongoDB', process, ready, logFile, timeoutMs: 5000 })).rejects.toThrow(reason);
});
