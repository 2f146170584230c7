import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { comandaDir, root } from '@comanda/local-stack/root';

/** The folders that a service needs. Everything else comes from this repository. */
const copied = ['packages', 'services'];
const scope = '@comanda';

/**
 * Copies the sources and applies patches to the copy (see test/mutants). Services started from the copy behave differently, and
 * this repository stays unchanged. The copy uses the packages installed here.
 */
export function createMutatedCopy(...patches: readonly string[]): { root: string; remove: () => void } {
  mkdirSync(comandaDir, { recursive: true });
  const copy = mkdtempSync(join(comandaDir, 'mutated-'));
  for (const name of readdirSync(root))
    if (![...copied, 'node_modules', '.git', basename(comandaDir)].includes(name)) link(name, copy);
  for (const folder of copied) cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isSource });
  linkPackages(copy);
  // The patch's paths are relative to the copy only if no repository surrounds it.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
  if (patches.length > 0)
    execFileSync('git', ['apply', ...patches], { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Links the installed packages into a copy of the sources. The copy's own packages replace this repository's. */
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
