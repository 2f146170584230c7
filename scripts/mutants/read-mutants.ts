import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';

/** A patch that breaks one promise, and what must find it: test files, torture, or both. */
export type Mutant = {
  name: string;
  patch: string;
  breaks: string;
  foundBy: readonly string[];
  isFoundByTorture: boolean;
};

export const mutantsFolder = join(root, 'test/mutants');

/** The mutants in the table of test/mutants/README.md. */
export function readMutants(): Mutant[] {
  const lines = readFileSync(join(mutantsFolder, 'README.md'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name, breaks = '', by = ''] = /^\| `(.+?)` +\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
    if (name === undefined) return [];
    const foundBy = [...by.matchAll(/`(.+?)`/g)].map(([, file = '']) => file);
    const patch = join(mutantsFolder, `${name}.patch`);
    return [{ name, patch, breaks, foundBy, isFoundByTorture: by.endsWith('torture') }];
  });
}
