// npm run bench -- <row> [args…]: runs bench/<row>.ts; without a row, lists them.
import { readdirSync } from 'node:fs';

const rows = readdirSync(import.meta.dirname)
  .filter(
    (file) =>
      file.endsWith('.ts') &&
      !['run.ts', 'support.ts', 'house.ts', 'raw-feed.ts', 'orders-without-store.ts'].includes(file),
  )
  .map((file) => file.replace(/\.ts$/, ''));
const [name = ''] = process.argv.slice(2);
if (rows.includes(name)) {
  await import(new URL(`${name}.ts`, import.meta.url).href);
} else {
  console.error(`usage: npm run bench -- <row>\nrows: ${rows.join(', ')}`);
  process.exitCode = name === '' ? 0 : 2;
}
