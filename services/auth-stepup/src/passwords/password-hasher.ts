import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { createHasher, hashQueueFull, passwordNiceIncrement, type Hasher, type HasherOptions } from './hasher.ts';
import type { StrengthTask, Weakness } from './strength-worker.ts';

export type PasswordHasher = Hasher & {
  /** What makes the password easy to guess; null if it is not. @throws 503 `service_unavailable` if the queue is full */
  findWeakness: (task: StrengthTask) => Promise<Weakness | null>;
};

/** Hashes passwords, and estimates the strength of new ones in one more thread. */
export function createPasswordHasher(options: HasherOptions): PasswordHasher {
  const { maxQueue } = options;
  const hasher = createHasher('password', options);
  const pool = new Piscina<StrengthTask, Weakness | null>({
    filename: new URL(`./strength-worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue,
    niceIncrement: passwordNiceIncrement,
    idleTimeout: 10_000, // shorter than a hasher's: the dictionaries take 100 MB, and are loaded in half a second
  });
  return {
    ...hasher,
    findWeakness: async (task) => {
      if (pool.queueSize >= maxQueue) throw hashQueueFull();
      return pool.run(task);
    },
    close: async () => {
      await Promise.all([hasher.close(), pool.destroy()]);
    },
  };
}
