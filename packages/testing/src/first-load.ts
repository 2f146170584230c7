import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Returns the gzipped size of the scripts that every visit to a built app loads, in bytes: those of its page, all that they import,
 * and Socket.IO, which has its own file but is loaded at once. Parts that are loaded later don't count.
 */
export function firstLoadBytes(folder: string): number {
  const assets = join(folder, 'assets');
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(assets, file), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) load(imported ?? '');
  };
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  for (const [, file] of html.matchAll(/assets\/([^"]+\.js)"/g)) load(file ?? '');
  if (loaded.size === 0) throw new Error(`The page in ${folder} loads no scripts.`);
  for (const file of readdirSync(assets)) if (/^feed-socket.*\.js$/.test(file)) load(file);
  return [...loaded].reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file))).length, 0);
}
