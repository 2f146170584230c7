import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { comandaDir, root } from '@comanda/local-stack/root';
import { linkPackages } from '../../test/torture/mutated-copy.ts';

/** Creates a copy of this repository to which patches are applied one after another. The repository itself stays unchanged. */
export function createWorkingCopy() {
  const copy = mkdtempSync(join(comandaDir, 'mutants-'));
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of list.split('\0').filter(Boolean))
    if (existsSync(join(root, file)))
      cpSync(join(root, file), join(copy, file), { recursive: true, verbatimSymlinks: true });
  linkPackages(copy);
  symlinkSync(comandaDir, join(copy, '.comanda')); // The copy shares the downloaded programs.
  // A patch's paths are relative to the copy only if no repository surrounds it.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
  const apply = (...args: string[]): void =>
    void execFileSync('git', ['apply', ...args], { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return {
    root: copy,
    /** Applies the patch while `work` is running. */
    during: async <T>(patch: string, work: () => Promise<T>): Promise<T> => {
      apply(patch);
      try {
        return await work();
      } finally {
        apply('--reverse', patch);
      }
    },
  };
}
