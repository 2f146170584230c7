import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { comandaDir, root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';
import { linkPackages } from './torture/mutated-copy.ts';

// Runs `npm run release` in a temporary copy of the repository.

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(comandaDir, 'release-'));
  const parts = ['packages', 'services', 'scripts', 'releases', 'package.json', 'package-lock.json', '.oxfmtrc.json'];
  const files = execFileSync('git', ['ls-files', '-z', ...parts], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
  linkPackages(copy);
});
afterEach(() => rmSync(copy, { recursive: true }));

const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
const release = (): Promise<Finished> =>
  run({
    command: process.execPath,
    args: ['--conditions=source', join(copy, 'scripts/release.ts'), 'notifier', 'minor'],
  });

describe('npm run release -- notifier minor', () => {
  const changelog = 'services/notifier/CHANGELOG.md';
  const { version } = JSON.parse(readFileSync(join(root, 'services/notifier/package.json'), 'utf8')) as {
    version: string;
  };
  const [major, minor] = version.split('.').map(Number);
  const next = `${major}.${Number(minor) + 1}.0`;

  test('is rejected if the changelog has no new entry', async () => {
    const before = read(changelog).replace(/(?<=^## \[Unreleased\]\n)[^]*?(?=^## \[\d)/m, '\n');
    writeFileSync(join(copy, changelog), before);

    const { code, output } = await release();

    expect({ code, output }).toEqual({
      code: 1,
      output: `First write what users and operators notice below "Unreleased" in ${changelog}.`,
    });
    expect(read(changelog)).toBe(before);
    expect(read('services/notifier/package.json')).toContain(`"version": "${version}"`);
  });

  test('writes the new version everywhere if the changelog has a new entry', async () => {
    const line = '- A louder bell.';
    writeFileSync(join(copy, changelog), read(changelog).replace('## [Unreleased]\n', `## [Unreleased]\n\n${line}\n`));

    const { code, output } = await release();

    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain(`git tag notifier-${next}`);
    const kept = JSON.parse(read(`releases/notifier/${next}.json`)) as { version: string; released: string };
    expect(kept.version).toBe(next);
    expect(read(changelog)).toContain(`## [Unreleased]\n\n## [${next}] - ${kept.released}\n\n${line}\n`);
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const { version: written } = JSON.parse(read('services/notifier/package.json')) as { version: string };
    expect([written, lock.packages['services/notifier']?.version]).toEqual([next, next]);
  });
});
