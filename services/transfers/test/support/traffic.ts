import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests that are running: from before their first byte until after the last byte of the answer. */
export type Traffic = ReturnType<typeof createTraffic>;

/** `moment` resolves at most this long after the beginning of a request. */
const maxDelayMs = 40;

/** `random`: a whole number below its argument. */
export function createTraffic(random: (below: number) => number = randomInt) {
  const running = new Map<string, number>();
  const waiting: { at: string | undefined; resolve: () => void }[] = [];
  const change = (at: string, by: number): void => void running.set(at, count(at) + by);
  const count = (at?: string): number =>
    at === undefined ? [...running.values()].reduce((sum, each) => sum + each, 0) : (running.get(at) ?? 0);

  function begin(at: string): void {
    change(at, 1);
    for (const each of waiting.splice(0))
      if (each.at === undefined || each.at === at) each.resolve();
      else waiting.push(each);
  }
  return {
    /** Does `work`, a request to `at` with its answer. */
    watch: async <T>(at: string, work: () => Promise<T>): Promise<T> => {
      begin(at);
      try {
        return await work();
      } finally {
        change(at, -1);
      }
    },
    /** Resolves at a random moment at which a request (to `at`, if given) is running. */
    moment: async (at?: string): Promise<void> => {
      do {
        await new Promise<void>((resolve) => waiting.push({ at, resolve }));
        await sleep(random(maxDelayMs));
      } while (count(at) === 0);
    },
  };
}
