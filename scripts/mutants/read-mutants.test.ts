import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { mutantsFolder, readMutants } from './read-mutants.ts';

const mutants = readMutants();

test('every patch is in the table of mutants', () => {
  const patches = readdirSync(mutantsFolder).filter((file) => file.endsWith('.patch'));
  expect(mutants.map(({ name }) => `${name}.patch`)).toEqual(patches.toSorted());
  expect(mutants.filter(({ foundBy, torture }) => foundBy.length === 0 && torture === null)).toEqual([]);
  expect(mutants.flatMap(({ foundBy }) => foundBy).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every mutant applies to this repository', () => {
  const failed = mutants.flatMap(({ name, patch }) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', patch], { cwd: root, encoding: 'utf8' });
    return status === 0 && stderr === '' ? [] : [`${name}: ${stderr}`];
  });
  expect(failed).toEqual([]);
});
