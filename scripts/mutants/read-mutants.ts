import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';

/** A patch that breaks one promise, and the test files that must fail with it. */
export type Mutant = { name: string; patch: string; breaks: string; foundBy: readonly string[] };

/**
 * The mutants of test/mutants, by name. Above its diff, a patch has the lines `Breaks: …` and `Found by: <test files>`,
 * which `git apply` passes over.
 * @throws Error if one of the lines is missing
 */
export function readMutants(): Mutant[] {
  const folder = join(root, 'test/mutants');
  const files = readdirSync(folder).filter((file) => file.endsWith('.patch'));
  return files.toSorted().map((file) => {
    const patch = join(folder, file);
    const text = readFileSync(patch, 'utf8');
    const [, breaks] = /^Breaks: (.+)$/m.exec(text) ?? [];
    const [, foundBy] = /^Found by: (.+)$/m.exec(text) ?? [];
    if (!breaks || !foundBy) throw new Error(`${file} must begin with the lines "Breaks: …" and "Found by: …".`);
    return { name: file.replace('.patch', ''), patch, breaks, foundBy: foundBy.split(' ') };
  });
}
