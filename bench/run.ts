// npm run bench -- <row> [arguments]: runs bench/<row>.ts. Without a row, it lists all rows.
// Each row prints its figures and stores them in bench/results.json.
import { readdirSync } from 'node:fs';

const rows = readdirSync(import.meta.dirname)
  .filter(
    (file) =>
      file.endsWith('.ts') &&
      !['run.ts', 'support.ts', 'stack.ts', 'raw-feed.ts', 'orders-without-store.ts'].includes(file),
  )
  .map((file) => file.replace(/\.ts$/, ''));
const [name = ''] = process.argv.slice(2);
if (rows.includes(name)) {
  await import(new URL(`${name}.ts`, import.meta.url).href);
} else {
  console.error(`Usage: npm run bench -- <row> [arguments]\nRows: ${rows.join(', ')}`);
  process.exitCode = name === '' || name === '--help' ? 0 : 2;
}
