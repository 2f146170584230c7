import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '@comanda/local-stack/write-atomically';
import { root } from '@comanda/local-stack/root';

const path = join(import.meta.dirname, 'durations.json');

/** Keeps how long these test files took, in seconds, by which longest-first.mjs orders them. */
export function recordDurations(durationsMs: Readonly<Record<string, number>>): void {
  const before = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
  const measured = Object.entries(durationsMs).map(([file, ms]) => [file, Math.round(ms / 1_000)] as const);
  const all = Object.entries({ ...before, ...Object.fromEntries(measured) })
    .filter(([file]) => existsSync(join(root, file)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeAtomically(path, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
