import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically: readers, and the next run after a crash, find either the old content or the new, never a part. */
export function writeAtomically(path: string, content: string, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, path);
}
