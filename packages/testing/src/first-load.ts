import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Returns the gzipped size of the scripts that a built app loads for a screen, in bytes: those of its page, and the `parts` that the
 * screen loads at once, such as `feed-socket`, each with all that it imports. Parts that are loaded later don't count.
 */
export function firstLoadBytes(folder: string, parts: readonly string[]): number {
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
  const files = readdirSync(assets);
  for (const part of parts) {
    const file = files.find((each) => each.startsWith(`${part}-`) && each.endsWith('.js'));
    if (file === undefined) throw new Error(`The app in ${folder} has no part ${part}.`);
    load(file);
  }
  return [...loaded].reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file))).length, 0);
}
