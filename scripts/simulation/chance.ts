export type Chance = {
  between: (from: number, to: number) => number;
  /** Returns a random whole number from `from` to `to`, including both. */
  whole: (from: number, to: number) => number;
  pick: <T>(list: readonly T[]) => T;
  happens: (probability: number) => boolean;
};

/** Creates a source of random choices, which are the same for the same seed (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (from: number, to: number): number => from + next() * (to - from);
  const whole = (from: number, to: number): number => Math.floor(between(from, to + 1));
  return {
    between,
    whole,
    pick: (list) => {
      const [first] = list;
      if (first === undefined) throw new Error('there is nothing to choose from');
      return list[whole(0, list.length - 1)] ?? first;
    },
    happens: (probability) => next() < probability,
  };
}
