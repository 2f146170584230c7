import { extname } from 'node:path';
import { problem } from '@comanda/contracts/problem';
import { Piscina } from 'piscina';
import type { HashTask } from './hash-worker.ts';
import type { HasherMetrics } from './hasher-metrics.ts';

export type Hasher = {
  /** Hashes a text with bcrypt. @throws 503 `service_unavailable` if the queue is full */
  hash: (text: string) => Promise<string>;
  /**
   * Compares a text with a hash. If `hash` is null, returns false after the same time as a real comparison.
   * @throws 503 `service_unavailable` if the queue is full
   */
  matches: (text: string, hash: string | null) => Promise<boolean>;
  close: () => Promise<void>;
};
export type HasherOptions = {
  /** The bcrypt cost: bcrypt runs 2^cost rounds. */
  cost: number;
  maxThreads: number;
  /** The maximum number of tasks that wait for a thread. */
  maxQueue: number;
  /** Returns how many tasks are waiting in front of this hasher, for the metrics; zero by default. */
  countWaiting?: () => number;
  metrics: HasherMetrics;
};

/** The bcrypt cost in production, for all services and commands. */
export const productionHashCost = 12;

/** Returns a bcrypt hash that matches no known text. Comparing with this hash takes as long as with any other of this cost. */
export const dummyHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$rGmDyzWl2BVeBSOa2AkwheNh2gaY59fhy7HbqgxhG3ao6LmVfBEaO`;

/**
 * Added to the nice value of password threads, so that they give way to PIN threads. With 5, password threads get a quarter of a
 * shared core. Zero outside Linux, where a nice value would slow down the whole process.
 */
export const passwordNiceIncrement = process.platform === 'linux' ? 5 : 0;

export const hashQueueFull = () =>
  problem(
    'service_unavailable',
    { detail: 'Too many passwords or PINs are being checked. Repeat the request in two seconds.' },
    { 'Retry-After': '2' },
  );

/**
 * Creates a hasher with worker threads, so that the event loop stays free. At most `maxQueue` hashes wait for a thread, so no
 * request waits long. PINs and passwords have separate hashers, so many sign-ins do not delay a PIN check.
 */
export function createHasher(name: 'password' | 'pin', options: HasherOptions): Hasher {
  const { cost, maxThreads, maxQueue, metrics, countWaiting = () => 0 } = options;
  const dummy = dummyHash(cost);
  const pool = new Piscina<HashTask, string | boolean>({
    filename: new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0, // each thread uses 40 MB, so none runs while no one signs in
    maxThreads,
    maxQueue,
    niceIncrement: name === 'password' ? passwordNiceIncrement : 0,
    idleTimeout: 60_000,
  });
  const countStarted = metrics.watch(name, () => pool.queueSize + countWaiting());

  function run(task: HashTask): Promise<string | boolean> {
    if (pool.queueSize >= maxQueue) throw hashQueueFull();
    countStarted();
    return pool.run(task);
  }
  return {
    hash: async (text) => String(await run({ kind: 'hash', text, cost })),
    matches: async (text, hash) => {
      const isEqual = await run({ kind: 'compare', text, hash: hash ?? dummy });
      return hash !== null && isEqual === true;
    },
    close: () => pool.destroy(),
  };
}
