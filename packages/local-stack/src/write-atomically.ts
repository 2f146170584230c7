import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically. After a crash, readers find either the old or the new content, but never a part. */
export function writeAtomically(path: string, content: string, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, path);
}
