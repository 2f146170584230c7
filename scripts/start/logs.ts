import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const largestBytes = 50_000_000;
const checkEveryMs = 60_000;

/**
 * Puts the logs of the run before this one aside, as `<name>.log.1`, and keeps each at 50 MB at most: a longer one is put
 * aside and begun anew. Processes append, so that they need not know.
 */
export function keepLogsShort(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of logsIn(folder)) renameSync(path, `${path}.1`);
  setInterval(() => {
    for (const path of logsIn(folder)) {
      if (statSync(path).size <= largestBytes) continue;
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
