import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';

/** A patch that breaks a promise, and the test files or chaos runs that must detect it. */
export type Mutant = {
  name: string;
  patch: string;
  breaks: string;
  foundBy: readonly string[];
  torture: Torture | null;
};
/**
 * How torture must detect a mutant. `faults` are the faults that it needs, if load alone doesn't reveal the mutant. Torture must
 * report a sentence that contains one of the texts in `says`.
 */
export type Torture = { faults: readonly string[]; says: readonly string[] };

export const mutantsFolder = join(root, 'test/mutants');

/** Reads the mutants from the table in test/mutants/README.md. */
export function readMutants(): Mutant[] {
  const lines = readFileSync(join(mutantsFolder, 'README.md'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name, breaks = '', by = ''] = /^\| `(.+?)` +\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
    if (name === undefined) return [];
    const foundBy = [...by.matchAll(/`(.+?)`/g)].map(([, file = '']) => file);
    return [{ name, patch: join(mutantsFolder, `${name}.patch`), breaks, foundBy, torture: readTorture(by) }];
  });
}

/** Parses `torture: A or B` and `torture with FAULT and FAULT: A or B`. */
function readTorture(by: string): Torture | null {
  const [, faults, says] = /torture(?: with (.+?))?: (.+)$/.exec(by) ?? [];
  return says === undefined ? null : { faults: faults?.split(' and ') ?? [], says: says.split(' or ') };
}
