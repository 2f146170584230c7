import { extname } from 'node:path';
import { problem } from '@comanda/contracts/problem';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Piscina } from 'piscina';
import { Counter, Gauge } from 'prom-client';
import type { HashTask } from './hash-worker.ts';

export type Hasher = {
  /** bcrypt at cost 12. @throws 503 `service_unavailable` if the queue is full */
  hash: (text: string) => Promise<string>;
  /** False if `hash` is null; takes the same time then. @throws 503 `service_unavailable` if the queue is full */
  matches: (text: string, hash: string | null) => Promise<boolean>;
  close: () => Promise<void>;
};
type Options = { maxThreads: number; maxQueue: number; metrics: Metrics };

/** bcrypt at cost 12 of 32 random bytes that are stored nowhere. */
const dummyHash = '$2b$12$rGmDyzWl2BVeBSOa2AkwheNh2gaY59fhy7HbqgxhG3ao6LmVfBEaO';

const queueFull = () =>
  problem(
    'service_unavailable',
    { detail: 'Too many passwords and PINs are being checked. Repeat the request in two seconds.' },
    { 'Retry-After': '2' },
  );

/**
 * Hashes in worker threads, so that the event loop stays free. At most `maxQueue` hashes wait for a thread, so that no
 * request waits long.
 */
export function createHasher({ maxThreads, maxQueue, metrics }: Options): Hasher {
  const pool = new Piscina<HashTask, string | boolean>({
    filename: new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0, // a thread takes 40 MB: none runs while nobody signs in
    maxThreads,
    maxQueue,
    idleTimeout: 60_000,
  });
  const started = registerMetrics(metrics, () => pool.queueSize);

  function run(task: HashTask): Promise<string | boolean> {
    if (pool.queueSize >= maxQueue) throw queueFull();
    started.inc();
    return pool.run(task);
  }
  return {
    hash: async (text) => String(await run({ kind: 'hash', text })),
    matches: async (text, hash) => {
      const isEqual = await run({ kind: 'compare', text, hash: hash ?? dummyHash });
      return hash !== null && isEqual === true;
    },
    close: () => pool.destroy(),
  };
}

/** Registers the gauge of waiting hashes, and returns the counter of started ones. */
function registerMetrics(metrics: Metrics, countWaiting: () => number): Counter {
  const registers = [metrics];
  const waiting: Gauge = new Gauge({
    name: 'comanda_hashes_waiting',
    help: 'Passwords and PINs that wait for a thread',
    registers,
    collect: (): void => waiting.set(countWaiting()),
  });
  return new Counter({ name: 'comanda_hashes_total', help: 'Passwords and PINs that were hashed', registers });
}
