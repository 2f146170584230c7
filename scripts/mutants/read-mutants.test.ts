import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { readMutants } from './read-mutants.ts';

const mutants = readMutants();
const fits = { status: 0, stderr: '' };
function check(patches: readonly string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync('git', ['apply', '--check', ...patches], { cwd: root, encoding: 'utf8' });
  return { status, stderr };
}

let allFit: boolean;
beforeAll(() => {
  // One process for all takes a fraction of the time. If it finds a fault, one for each says which it is.
  const { status, stderr } = check(mutants.map(({ patch }) => patch));
  allFit = status === 0 && stderr === '';
});

test.each(mutants)(
  'when $name is applied to this repository, then it fits, and its tests exist',
  ({ patch, foundBy }) => {
    expect(allFit ? fits : check([patch])).toEqual(fits);
    expect(foundBy.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);
