import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const gigabyte = 1024 ** 3;

/** `/dev/shm`, and what must be free in it and on the machine for the servers of a whole `npm test`. */
const forTests = { folder: '/dev/shm', neededBytes: 4 * gigabyte, neededMemoryBytes: 8 * gigabyte };

/**
 * A folder in memory, where no write waits for a disk: for data that a run throws away. Undefined if this machine has
 * none or not enough room.
 */
export function memoryFolder({ folder, neededBytes, neededMemoryBytes } = forTests): string | undefined {
  if (!existsSync(folder) || freemem() < neededMemoryBytes) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < neededBytes ? undefined : folder;
}
