import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

export const appNames = ['guest', 'staff'] as const;

/** Returns the built apps' folders, keyed by gateway setting. */
export const appFolders = (into: string): { TABLE_APP_FOLDER: string; KITCHEN_APP_FOLDER: string } => ({
  TABLE_APP_FOLDER: join(into, 'guest'),
  KITCHEN_APP_FOLDER: join(into, 'staff'),
});

const sourcesOfApps = ['apps', 'packages', 'package-lock.json', 'tsconfig.base.json'];

/**
 * Builds both web apps into the folder `into`, which takes about a second. Does nothing if the folder has a build of the same
 * sources.
 */
export async function buildApps(into: string): Promise<'built' | 'unchanged'> {
  const stamp = join(into, 'sources.sha256');
  const sources = hashOf(sourcesOfApps.map((name) => join(root, name)));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return 'unchanged';
  rmSync(stamp, { force: true });
  mkdirSync(into, { recursive: true });
  const { build } = await import('vite'); // Vite is slow to import.
  await Promise.all(
    appNames.map((name) =>
      build({
        root: join(root, 'apps', name),
        logLevel: 'warn',
        build: { outDir: join(into, name), emptyOutDir: true },
      }),
    ),
  );
  writeFileSync(stamp, sources);
  return 'built';
}

const notSources = new Set(['node_modules', 'dist', 'test', '.turbo']);

/**
 * Returns one hash over these files and folders. In folders, includes everything except tests and files that were built or
 * installed.
 */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) {
      const names = readdirSync(path).filter((name) => !notSources.has(name));
      for (const name of names.toSorted()) add(join(path, name));
    } else {
      const content = readFileSync(path);
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}
