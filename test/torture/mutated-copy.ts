import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { comandaDir, root } from '@comanda/local-stack/root';

/** The folders that are copied, because a service's own sources are in them. A copy uses everything else from this repository. */
const copied = ['packages', 'services'];
const scope = '@comanda';

/**
 * Copies the sources and applies patches to the copy (see test/mutants), so that this repository stays unchanged. Services that
 * are started from the copy behave differently. The copy uses the packages that are installed here.
 */
export function createMutatedCopy(...patches: readonly string[]): { root: string; remove: () => void } {
  mkdirSync(comandaDir, { recursive: true });
  const copy = mkdtempSync(join(comandaDir, 'mutated-'));
  for (const name of readdirSync(root))
    if (![...copied, 'node_modules', '.git', basename(comandaDir)].includes(name)) link(name, copy);
  for (const folder of copied) cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isSource });
  linkPackages(copy);
  // Makes git ignore a repository around the copy, because otherwise the paths in the patch would not be relative to the copy.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
  if (patches.length > 0)
    execFileSync('git', ['apply', ...patches], { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/**
 * Links the packages that are installed in this repository into a copy. The copy's own packages are used instead of this
 * repository's.
 */
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
