import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const gigabyte = 1024 ** 3;

/** `/dev/shm`, and the bytes that must be free in the folder and on the machine to run the servers for a whole `npm test`. */
const forTests = { folder: '/dev/shm', neededBytes: 4 * gigabyte, neededMemoryBytes: 8 * gigabyte };

/**
 * Returns a folder in memory, where no write waits for a disk: for data that a run throws away. Undefined if this machine has no
 * such folder or not enough room.
 */
export function memoryFolder({ folder, neededBytes, neededMemoryBytes } = forTests): string | undefined {
  if (!existsSync(folder) || freemem() < neededMemoryBytes) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < neededBytes ? undefined : folder;
}
