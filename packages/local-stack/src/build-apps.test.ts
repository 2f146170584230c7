import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from './build-apps.ts';
import { root } from './root.ts';
import { run } from './servers/command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-apps-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the apps are rebuilt only when their sources change', async () => {
  // Uses a separate process, because Vite doesn't work with Jest's modules.
  const script = `console.log(await (await import(${JSON.stringify(join(root, 'packages/local-stack/src/build-apps.ts'))})).buildApps(process.argv[1]))`;
  const build = async () => {
    const { code, output } = await run({
      command: process.execPath,
      args: ['--conditions=source', '-e', script, folder],
    });
    return { code, output: output.split('\n').at(-1) }; // Vite may first print which steps were slow.
  };
  const stamp = join(folder, 'sources.sha256'); // The file with the hash of the sources that were built.
  writeFileSync(stamp, 'those of yesterday');

  expect(await build()).toEqual({ code: 0, output: 'built' });

  const pages = ['guest', 'staff'].map((name) => join(folder, name, 'index.html'));
  for (const page of pages) utimesSync(page, 1, 1);

  expect(await build()).toEqual({ code: 0, output: 'unchanged' });

  expect(pages.map((page) => statSync(page).mtimeMs)).toEqual([1_000, 1_000]);
});

describe('the hash of the sources', () => {
  test('changes with the source files, but not with tests, builds or packages', () => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a.ts'), 'one');
    const hashes = [hashOf([folder])];
    writeFileSync(join(folder, 'src/b.ts'), '');
    hashes.push(hashOf([folder]));
    writeFileSync(join(folder, 'src/a.ts'), 'two');
    hashes.push(hashOf([folder]));
    expect(new Set(hashes).size).toBe(3);

    for (const name of ['test', 'dist', 'node_modules']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'a.ts'), 'x');
    }
    expect(hashOf([folder])).toBe(hashes.at(-1));
  });
});
