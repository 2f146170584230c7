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

  test('leave no part of a failed download, which the next call repeats', async () => {
    const broken = fetchTool(async (folder) => {
      await write('partial')(folder);
      throw refusal('the network is down');
    });
    await expect(broken).rejects.toThrow('the network is down');
    expect(readdirSync(programsDir)).toEqual([]);
    const folder = await fetchTool(write('complete'));
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('complete');
  });
  test('an existing download is not repeated', async () => {
    await fetchTool(write('first'));
    const folder = await fetchTool(write('second'));
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('first');
  });
  test('two calls at the same time share one download', async () => {
    const folders = await Promise.all([fetchTool(write('first')), fetchTool(write('second'))]);
    for (const folder of folders) expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('first');
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
  test('a waiting call downloads the program when another one fails', async () => {
    const failing = fetchTool(() => Promise.reject(refusal('the network is down')));
    const waiting = fetchTool(write('second'));
    await expect(failing).rejects.toThrow('the network is down');
    expect(readFileSync(join(await waiting, 'tool'), 'utf8')).toBe('second');
  });
  test('the lock of a killed process whose id another process now has is ignored', async () => {
    leaveLock(process.pid);
    await fetchTool(write('complete'));
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
  test('an archive that does not match the pinned hash is not unpacked', async () => {
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
  test('remove the temporary folder of a killed process, and do not wait for it', async () => {
    mkdirSync(join(programsDir, '.fetching-999999999-abc'));
    leaveLock(999_999_999);
    await fetchTool(write('complete'));
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
});
