import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from '../servers/process-identity.ts';
import { becomeOnlyStarter } from './only-starter.ts';

describe('the only starter', () => {
  let folder: string;
  let file: string;
  const children: ChildProcess[] = [];
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
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
  const leave = (starter: ProcessIdentity, processes: unknown[] = []): void =>
    writeFileSync(file, JSON.stringify({ starter, processes }));
  const dead = (identity: ProcessIdentity): ProcessIdentity => ({ ...identity, born: 'long ago' });

  test('when nobody was there, then this process writes itself down', async () => {
    await becomeOnlyStarter(file, say);
    expect(JSON.parse(readFileSync(file, 'utf8')).starter).toEqual(identify(process.pid));
  });
  test('when another one runs, then the refusal names its process and changes nothing', async () => {
    const other = await startProcess();
    leave(other);
    await expect(becomeOnlyStarter(file, say)).rejects.toThrow(new RegExp(`process ${other.pid}\\b`));
    expect(JSON.parse(readFileSync(file, 'utf8')).starter).toEqual(other);
  });
  test('when the one before was killed, then what it left running is ended', async () => {
    const left = await startProcess();
    leave(dead(identify(process.pid) as ProcessIdentity), [{ ...left, name: 'orders', end: 'in order' }]);
    await becomeOnlyStarter(file, say);
    expect(isRunning(left)).toBe(false);
    expect(said.join()).toContain(`ending orders (process ${left.pid})`);
  });
  test('when the id of a process of the run before belongs to another by now, then that one is left alone', async () => {
    const innocent = await startProcess();
    leave(dead(innocent), [{ ...dead(innocent), name: 'orders', end: 'in order' }]);
    await becomeOnlyStarter(file, say);
    expect(isRunning(innocent)).toBe(true);
  });
  test('when the one before was killed in mid-write, then its place is taken', async () => {
    writeFileSync(file, '{"starter":{"pi');
    await becomeOnlyStarter(file, say);
    expect(JSON.parse(readFileSync(file, 'utf8')).starter.pid).toBe(process.pid);
  });
});
