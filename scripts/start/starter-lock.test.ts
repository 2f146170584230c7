import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from '@comanda/local-stack/process-identity';
import { acquireStarterLock } from './starter-lock.ts';

describe("npm start's lock", () => {
  let folder: string;
  let file: string;
  const children: ChildProcess[] = [];
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'starter-'));
    file = join(folder, 'starter.json');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    rmSync(folder, { recursive: true });
  });

  async function startProcess(): Promise<ProcessIdentity> {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    children.push(child);
    await once(child, 'spawn');
    return identify(child.pid ?? 0) as ProcessIdentity;
  }
  const writeLock = (starter: ProcessIdentity, processes: unknown[] = []): void =>
    writeFileSync(file, JSON.stringify({ starter, processes }));
  const readStarter = (): ProcessIdentity =>
    (JSON.parse(readFileSync(file, 'utf8')) as { starter: ProcessIdentity }).starter;
  const exited = (identity: ProcessIdentity): ProcessIdentity => ({ ...identity, born: 'long ago' });

  test('is written to a new lock file', async () => {
    await acquireStarterLock(file, log);

    expect(readStarter()).toEqual(identify(process.pid));
  });
  test("shows the other starter's process id while that process is running", async () => {
    const other = await startProcess();
    writeLock(other);

    await expect(acquireStarterLock(file, log)).rejects.toThrow(new RegExp(`process ${other.pid}\\b`));

    expect(readStarter()).toEqual(other);
  });
  test('stops the processes that a killed starter left behind', async () => {
    const orders = await startProcess();
    const starter = exited(identify(process.pid) as ProcessIdentity);
    writeLock(starter, [{ ...orders, name: 'orders', stop: 'gracefully' }]);

    await acquireStarterLock(file, log);

    expect(isRunning(orders)).toBe(false);
    expect(lines.join()).toContain(`stopping orders (process ${orders.pid})`);
  });
  test("doesn't stop a process that reuses an earlier run's process id", async () => {
    const other = await startProcess();
    writeLock(exited(other), [{ ...exited(other), name: 'orders', stop: 'gracefully' }]);

    await acquireStarterLock(file, log);

    expect(isRunning(other)).toBe(true);
  });
  test('is acquired if the previous starter was killed while writing the file', async () => {
    writeFileSync(file, '{"starter":{"pi');

    await acquireStarterLock(file, log);

    expect(readStarter().pid).toBe(process.pid);
  });
});
