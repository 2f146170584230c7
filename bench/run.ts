// npm run bench -- <row> [arguments]: runs bench/<row>.ts. Without a row, it lists all rows.
// Each row prints its figures, stores them in bench/results.json and writes docs/benchmarks.md.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '../scripts/generated-docs.ts';
import { root } from '../scripts/root.ts';

const rows = readdirSync(import.meta.dirname)
  .filter(
    (file) =>
      file.endsWith('.ts') &&
      ![
        'run.ts',
        'support.ts',
        'benchmarks-page.ts',
        'stack.ts',
        'raw-feed.ts',
        'log-scavenges.ts',
        'orders-without-store.ts',
      ].includes(file),
  )
  .map((file) => file.replace(/\.ts$/, ''));
const [name = ''] = process.argv.slice(2);
if (rows.includes(name)) {
  await import(new URL(`${name}.ts`, import.meta.url).href);
  for (const { path, current, wanted } of await generatedFiles())
    if (path === 'docs/benchmarks.md' && current !== wanted) writeFileSync(join(root, path), wanted);
} else {
  console.error(`Usage: npm run bench -- <row> [arguments]\nRows: ${rows.join(', ')}`);
  process.exitCode = name === '' || name === '--help' ? 0 : 2;
}
