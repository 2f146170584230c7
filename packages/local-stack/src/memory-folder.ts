import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const gigabyte = 1024 ** 3;

/** `/dev/shm`, with the free space there and the free memory that the servers need for a complete `npm test`, in bytes. */
const forTests = { folder: '/dev/shm', neededBytes: 4 * gigabyte, neededMemoryBytes: 8 * gigabyte };

/**
 * Returns a folder in memory for temporary data, where writes need not wait for a disk. Undefined if this machine has no such
 * folder or too little room.
 */
export function memoryFolder({ folder, neededBytes, neededMemoryBytes } = forTests): string | undefined {
  if (!existsSync(folder) || freemem() < neededMemoryBytes) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < neededBytes ? undefined : folder;
}
