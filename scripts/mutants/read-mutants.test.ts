import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { readMutants } from './read-mutants.ts';

test.each(readMutants())(
  'when $name is applied to this repository, then it fits, and its tests exist',
  ({ patch, foundBy }) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', patch], { cwd: root, encoding: 'utf8' });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(foundBy.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);
