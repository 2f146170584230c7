import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDownloads } from './downloads.ts';
import { cannotBeHad, refusal } from './refusal.ts';

describe('what is fetched', () => {
  let programsDir: string;
  beforeEach(() => {
    programsDir = mkdtempSync(join(tmpdir(), 'programs-'));
  });
  afterEach(() => rmSync(programsDir, { recursive: true }));
  const fetchTool = (fetch: (folder: string) => Promise<void>): Promise<string> =>
    withDownloads({ programsDir, log: () => undefined }, ({ cached }) => cached('tool', fetch));
  const write = (text: string) => async (folder: string) => writeFileSync(join(folder, 'tool'), text);

  test('when fetching breaks off, then nothing of it is taken for the program, and the next time it is fetched again', async () => {
    const broken = fetchTool(async (folder) => {
      await write('half')(folder);
      throw refusal('the network is gone');
    });
    await expect(broken).rejects.toThrow('the network is gone');
    expect(readdirSync(programsDir)).toEqual([]);
    const folder = await fetchTool(write('whole'));
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('whole');
  });
  test('when it was fetched before, then it is not fetched again', async () => {
    await fetchTool(write('first'));
    const folder = await fetchTool(write('second'));
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('first');
  });
  test('when two fetch at once, then both have a whole one', async () => {
    const folders = await Promise.all([fetchTool(write('same')), fetchTool(write('same'))]);
    for (const folder of folders) expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('same');
    expect(readdirSync(programsDir)).toEqual(['tool']);
  });
  test('when the registry has another archive than the pinned one, then nothing of it is unpacked', async () => {
    const source = join(programsDir, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'package.json'), '{"name":"tool","version":"1.0.0"}');
    writeFileSync(join(source, 'tool'), 'whole');
    const fetchPackage = (integrity: string): Promise<string> =>
      withDownloads({ programsDir, log: () => undefined }, ({ cached, npmPackage }) =>
        cached('tool', (folder) => npmPackage({ spec: source, integrity }, folder)),
      );
    const refused = await fetchPackage('sha512-of-another').catch((error: unknown) => String(error));
    expect(refused).toContain('is another than the pinned one');
    expect(existsSync(join(programsDir, 'tool'))).toBe(false);
    const folder = await fetchPackage(/sha512-\S+$/.exec(refused)?.[0] ?? '');
    expect(readFileSync(join(folder, 'tool'), 'utf8')).toBe('whole');
  });
  test('when a process was killed while it fetched, then what it left is removed', async () => {
    const left = join(programsDir, '.fetching-999999999-abc');
    mkdirSync(left);
    await fetchTool(write('whole'));
    expect(existsSync(left)).toBe(false);
  });
  test('when it can not be had, then the refusal names every way to provide it', () => {
    const error = cannotBeHad({
      server: 'Redis',
      variable: 'REDIS_URL',
      example: 'redis://127.0.0.1:6379',
      program: 'redis-server',
      fetchedWith: 'have a network',
      error: refusal('apt-get update failed'),
    });
    for (const way of ['apt-get update failed', 'REDIS_URL=', 'redis-server is on the PATH', 'docker compose'])
      expect(error.message).toContain(way);
  });
});
