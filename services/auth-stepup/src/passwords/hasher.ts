import { extname } from 'node:path';
import { problem } from '@comanda/contracts/problems';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Piscina } from 'piscina';
import { Counter, Gauge } from 'prom-client';
import type { HashTask } from './hash-worker.ts';

export type Hasher = {
  /** bcrypt at cost 12. @throws 503 `service_unavailable` when the queue is full */
  hash: (text: string) => Promise<string>;
  /** Takes the same time where there is no hash, and is false then. @throws 503 when the queue is full */
  matches: (text: string, hash: string | null) => Promise<boolean>;
  close: () => Promise<void>;
};

/** bcrypt at cost 12 of 32 random bytes that nobody has kept. */
const nobodys = '$2b$12$rGmDyzWl2BVeBSOa2AkwheNh2gaY59fhy7HbqgxhG3ao6LmVfBEaO';

/** Hashes in threads of their own, at most `queue` waiting: the event loop stays free, and nobody waits for long. */
export function createHasher(options: { workers: number; queue: number; metrics: Metrics }): Hasher {
  const pool = new Piscina<HashTask, string | boolean>({
    filename: new URL(`./hash-worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0, // a thread of its own is 40 MB: none where nobody signs in
    maxThreads: options.workers,
    maxQueue: options.queue,
    idleTimeout: 60_000,
  });
  const begun = measure(options.metrics, () => pool.queueSize);
  function run(task: HashTask): Promise<string | boolean> {
    if (pool.queueSize >= options.queue)
      throw problem('service_unavailable', { detail: 'Too many sign-ins at once.' }, { 'Retry-After': '2' });
    begun.inc();
    return pool.run(task);
  }
  return {
    hash: async (text) => String(await run({ do: 'hash', text })),
    matches: async (text, hash) => {
      const same = await run({ do: 'compare', text, hash: hash ?? nobodys });
      return hash !== null && same === true;
    },
    close: () => pool.destroy(),
  };
}

/** Registers how many wait, and returns the counter of those that were taken. */
function measure(metrics: Metrics, waiting: () => number): Counter {
  const registers = [metrics];
  const gauge: Gauge = new Gauge({
    name: 'comanda_hashes_waiting',
    help: 'Passwords and PINs that wait for a thread',
    registers,
    collect: (): void => gauge.set(waiting()),
  });
  return new Counter({ name: 'comanda_hashes_total', help: 'Passwords and PINs that were hashed', registers });
}
