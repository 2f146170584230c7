import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@comanda/testing/until';
import { startProcess } from '../servers/server-process.ts';
import { keepRunning } from './keep-running.ts';

describe('a process that is kept running', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keep-'));
  let ending = false;
  let pids: number[] = [];
  const said: string[] = [];
  beforeEach(() => {
    ending = false;
    pids = [];
  });
  afterEach(() => {
    ending = true;
    const last = pids.at(-1);
    if (last !== undefined) process.kill(last, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const keep = (code: string) =>
    keepRunning({
      name: 'orders',
      start: () =>
        startProcess({
          name: 'orders',
          command: process.execPath,
          args: ['-e', code],
          env: process.env,
          cwd: folder,
          logFile: join(folder, 'orders.log'),
        }),
      onStart: (pid) => void pids.push(pid),
      ending: () => ending,
      log: (line) => void said.push(line),
    });

  test('when it is killed, then it is started again, and that is said', async () => {
    const kept = await keep('setInterval(() => 0, 1000)');
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await until(() => pids.length === 2, { what: 'the second life', timeoutMs: 10_000 });
    expect(kept.ends()).toBe(1);
    expect(said.join('\n')).toMatch(/orders ended \(SIGKILL\)[^]*orders runs again/);
  });
  test('when it is to end, then its end is its last', async () => {
    const kept = await keep('setInterval(() => 0, 1000)');
    ending = true;
    process.kill(pids[0] ?? 0, 'SIGTERM');
    await kept.over;
    expect(pids).toHaveLength(1);
    pids = [];
  });
});
