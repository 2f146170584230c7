import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file so that a reader, or the next run after a crash, finds the old content or the new, never half of it. */
export function writeAtomically(path: string, content: string, mode = 0o644): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, content, { mode });
  renameSync(unfinished, path);
}
