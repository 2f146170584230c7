import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDownloads } from './downloads.ts';
import { refusal } from './refusal.ts';

describe('downloads', () => {
  let programsDir: string;
  beforeEach(() => {
    programsDir = mkdtempSync(join(tmpdir(), 'programs-'));
  });
  afterEach(() => rmSync(programsDir, { recursive: true }));
  const fetchTool = (fetch: (folder: string) => Promise<void>): Promise<string> =>
    withDownloads({ programsDir, log: () => undefined }, ({ cached }) => cached('tool', fetch));
  const write = (text: string) => async (folder: string) => writeFileSync(join(folder, 'tool'), text);

  const leaveLock = (pid: number): void =>
    symlinkSync(JSON.stringify({ pid, born: 'before the last boot' }), join(programsDir, '.downloads-tool'));

  test('are removed after a failure and restarted by the next call', async () => {
    const broken = fetchTool(async (folder) => {
      await write('partial')(folder);
      throw refusal('the network is down');
    });
    await expect(broken).rejects.toThrow('the network is down');
    expect(readdirSync(programsDir)).toEqual([]);
    const folder = await fetchTool(write('complete'));
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('complete');
  });
  test('are skipped for a program that already exists', async () => {
    await fetchTool(write('first'));
    const folder = await fetchTool(write('second'));
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('first');
  });
  test('are shared by two concurrent calls', async () => {
    const folders = await Promise.all([fetchTool(write('first')), fetchTool(write('second'))]);
    for (const folder of folders) expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('first');
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
  test('are retried by a waiting call if the other call fails', async () => {
    const failing = fetchTool(() => Promise.reject(refusal('the network is down')));
    const waiting = fetchTool(write('second'));
    await expect(failing).rejects.toThrow('the network is down');
    expect(readFileSync(join(await waiting, 'tool'), 'utf8')).toBe('second');
  });
  test('ignore the lock of a killed process whose id was reused', async () => {
    leaveLock(process.pid);
    await fetchTool(write('complete'));
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
  test('are not unpacked if the archive has the wrong hash', async () => {
    const source = join(programsDir, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'package.json'), '{"name":"tool","version":"1.0.0"}');
    writeFileSync(join(source, 'tool'), 'complete');
    const fetchPackage = (integrity: string): Promise<string> =>
      withDownloads({ programsDir, log: () => undefined }, ({ cached, npmPackage }) =>
        cached('tool', (folder) => npmPackage({ spec: source, integrity }, folder)),
      );
    const message = await fetchPackage('sha512-of-another').catch((error: unknown) => String(error));
    expect(message).toContain('does not match the pinned hash');
    expect(existsSync(join(programsDir, 'tool'))).toBe(false);
    const folder = await fetchPackage(/sha512-\S+$/.exec(message)?.[0] ?? '');
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('complete');
  });
  test("remove a killed process's temporary folder", async () => {
    mkdirSync(join(programsDir, '.fetching-999999999-abc'));
    leaveLock(999_999_999);
    await fetchTool(write('complete'));
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
});
