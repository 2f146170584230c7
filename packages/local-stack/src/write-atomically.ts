import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically: even after a crash, a reader finds either the complete old content or the complete new content. */
export function writeAtomically(path: string, content: string, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, path);
}
