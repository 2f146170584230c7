import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes a `.br` file next to each script and style sheet. The best Brotli level is too slow to use at each request. */
export const compressPlugin: Plugin = {
  name: 'comanda:compress',
  apply: 'build',
  writeBundle: ({ dir = '' }, bundle) => {
    const names = Object.keys(bundle).filter((name) => /^assets\/.*\.(css|js)$/.test(name));
    for (const path of names.map((name) => join(dir, name)))
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  },
};
