import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { comandaDir, root } from '@comanda/local-stack/root';

/** What a service runs from: all else is that of this repository. */
const copied = ['packages', 'services'];
const scope = '@comanda';

/**
 * A copy of the sources with patches in it (see test/mutants): services that are started from it do something else, while the
 * files of this repository stay as they are. Its packages are those that are installed here.
 */
export function createMutatedCopy(...patches: readonly string[]): { root: string; remove: () => void } {
  mkdirSync(comandaDir, { recursive: true });
  const copy = mkdtempSync(join(comandaDir, 'mutated-'));
  for (const name of readdirSync(root))
    if (![...copied, 'node_modules', '.git', basename(comandaDir)].includes(name)) link(name, copy);
  for (const folder of copied) cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isSource });
  linkPackages(copy);
  // Without a repository around it, the paths of the patch are those of the copy.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
  if (patches.length > 0)
    execFileSync('git', ['apply', ...patches], { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Gives a copy of the sources the packages that are installed here, and its own in place of those of this repository. */
export function linkPackages(copy: string): void {
  for (const name of readdirSync(join(copy, 'services'))) {
    const own = join('services', name, 'node_modules');
    if (existsSync(join(root, own))) link(own, copy);
  }
  mkdirSync(join(copy, 'node_modules', scope), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== scope) link(join('node_modules', name), copy);
  for (const name of readdirSync(join(root, 'node_modules', scope)))
    symlinkSync(readlinkSync(join(root, 'node_modules', scope, name)), join(copy, 'node_modules', scope, name));
}

const isSource = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path));

function link(name: string, copy: string): void {
  const path = join(copy, name);
  symlinkSync(relative(dirname(path), join(root, name)), path);
}
