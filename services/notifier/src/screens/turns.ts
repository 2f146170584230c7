/** At most `most` pieces of work at once; the others wait for their turn, first come first served. */
export type Turns = { take: <T>(work: () => Promise<T>) => Promise<T> };

export function createTurns(most: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    take: async (work) => {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next(); // its turn is this one, handed on
        else running--;
      }
    },
  };
}
