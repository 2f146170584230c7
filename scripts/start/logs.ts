import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const maxBytes = 50_000_000;
const checkEveryMs = 60_000;

/**
 * Renames the previous run's logs to `<name>.log.1`, and later every log that exceeds 50 MB. A log is copied and then truncated,
 * because processes have it open, and get no signal to open another file.
 */
export function rotateLogs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of logsIn(folder)) renameSync(path, `${path}.1`);
  setInterval(() => {
    for (const path of logsIn(folder)) {
      if (statSync(path).size <= maxBytes) continue;
      copyFileSync(path, `${path}.1`);
      truncateSync(path);
    }
  }, checkEveryMs).unref();
}

const logsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => join(folder, name))
    : [];
