import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@comanda/testing/until';
import { startProcess } from '@comanda/local-stack/servers/server-process';
import { keepRunning } from './keep-running.ts';

describe('keepRunning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keep-'));
  let stopping = false;
  let pids: number[] = [];
  const lines: string[] = [];
  beforeEach(() => {
    stopping = false;
    pids = [];
  });
  afterEach(() => {
    stopping = true;
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
      isStopping: () => stopping,
      log: (line) => void lines.push(line),
    });

  test('restarts a killed process and logs it', async () => {
    const kept = await keep('setInterval(() => 0, 1000)');

    process.kill(pids[0] ?? 0, 'SIGKILL');
    await until(() => pids.length === 2, { what: 'the restart' });

    expect(kept.exitCount()).toBe(1);
    expect(lines.join('\n')).toMatch(/orders exited \(SIGKILL\)[^]*orders runs again/);
  });
  test("doesn't restart a process that exits during shutdown", async () => {
    const kept = await keep('setInterval(() => 0, 1000)');

    stopping = true;
    process.kill(pids[0] ?? 0, 'SIGTERM');
    await kept.stopped;

    expect(pids).toHaveLength(1);
    pids = [];
  });
});
