// npm run bench -- <row> [arguments]: runs bench/<row>.ts. Without a row, lists all rows. npm run bench -- all: runs all rows
// except endurance, one after the other. Each row prints its figures, stores them in bench/results.json, and updates
// docs/benchmarks.md and bench/results.md. With --try, a row measures a single round and writes nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDocument } from '@comanda/local-stack/format-document';
import { root } from '@comanda/local-stack/root';
import { benchmarksPage, resultsPage, type Results } from './benchmarks-page.ts';

const pages = { 'docs/benchmarks.md': benchmarksPage, 'bench/results.md': resultsPage };
const noRows = new Set(['run', 'support', 'benchmarks-page', 'stack']);
const rows = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !noRows.has(name));

/** Runs each row in a separate process. If a row fails, continues with the next one. */
async function runAll(): Promise<void> {
  const failed: string[] = [];
  const chosen = rows.filter((row) => row !== 'endurance');
  for (const [index, row] of chosen.entries()) {
    console.error(`${index + 1} of ${chosen.length}: ${row}`);
    const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, row], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) failed.push(row);
  }
  if (failed.length > 0) console.error(`These rows failed: ${failed.join(', ')}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

if (process.argv.includes('--try')) process.env['BENCH_TRY'] = '1';
process.argv = process.argv.filter((argument) => argument !== '--try');
const [name = ''] = process.argv.slice(2);
if (name === 'all') await runAll();
else if (rows.includes(name)) {
  await import(new URL(`${name}.ts`, import.meta.url).href);
  const results = JSON.parse(readFileSync(join(import.meta.dirname, 'results.json'), 'utf8')) as Results;
  for (const [path, make] of Object.entries(pages))
    writeFileSync(join(root, path), await formatDocument(path, make(results)));
} else {
  console.error(
    `Usage: npm run bench -- <row> [arguments] [--try]\n       npm run bench -- all\nRows: ${rows.join(', ')}`,
  );
  process.exitCode = name === '' || name === '--help' ? 0 : 2;
}
