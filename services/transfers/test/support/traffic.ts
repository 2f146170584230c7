import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests that are under way: from before their first byte to after the last of their answer. */
export type Traffic = ReturnType<typeof createTraffic>;

/** So long at most after the beginning of a request its moment comes. */
const momentWithinMs = 40;

export function createTraffic() {
  const underWay = new Map<string, number>();
  const waiting: { at: string | undefined; resolve: () => void }[] = [];
  const change = (at: string, by: number): void => void underWay.set(at, count(at) + by);
  const count = (at?: string): number =>
    at === undefined ? [...underWay.values()].reduce((sum, each) => sum + each, 0) : (underWay.get(at) ?? 0);

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
    /** Resolves at a random moment at which a request, to `at` where it is named, is under way. */
    moment: async (at?: string): Promise<void> => {
      do {
        await new Promise<void>((resolve) => waiting.push({ at, resolve }));
        await sleep(randomInt(momentWithinMs));
      } while (count(at) === 0);
    },
  };
}
