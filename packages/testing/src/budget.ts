import { describe, jest, test } from '@jest/globals';

const isLong = process.env['COMANDA_LONG'] === '1';
/** Whether the run is of files that somebody has named, or tests. */
const isOfNamedFiles = process.env['COMANDA_NAMED_FILES'] === '1';

/** How much a test does: `short` in `npm test`, `long` in the nightly run (`npm run test:full`). */
export const budget = <T>(short: T, long: T): T => (isLong ? long : short);

/** Which of so many is in turn in `npm test`: another one with another seed. */
export const turnOf = (count: number): number => Math.abs(jest.getSeed()) % count;

/** The variants of one promise: one of them in `npm test`, in turn, and all of them in the nightly run. */
export const inTurn = <const T>(variants: readonly T[]): readonly T[] =>
  budget(
    variants.filter((_, index) => index === turnOf(variants.length)),
    variants,
  );

/** What only the nightly run runs. Another test, which `npm test` runs, holds the promise: CONTRIBUTING says when. */
export const longOnly = {
  // The functions of the test file that runs now: the files of a worker share this module.
  get test(): typeof test.skip {
    return budget<typeof test.skip>(test.skip, test);
  },
  get describe(): typeof describe.skip {
    return budget<typeof describe.skip>(describe.skip, describe);
  },
};

/** Whether the run has the test or suite with this title, by the seed and the number of the case. */
const isInSixth = (title: string, index = 0): boolean =>
  isLong || isOfNamedFiles || (title.length + index) % 6 === turnOf(6);

/**
 * What an app shows in a single state, tools of those who work on Comanda, and what documents show: a run of all files has
 * a sixth of these tests, by the length of their titles, the number of the case and the seed. `npm test -- FILE` has them all.
 */
export const inSixths = {
  get test(): typeof test {
    type Rest = [run: () => Promise<void>, timeoutMs?: number];
    const of = (title: string, index?: number): typeof test =>
      isInSixth(title, index) ? test : (test.skip as typeof test);
    const each =
      (cases: readonly unknown[]) =>
      (title: string, ...rest: Rest): void =>
        cases.forEach((values, index) => of(title, index).each([values])(title, ...rest));
    return Object.assign((title: string, ...rest: Rest) => of(title)(title, ...rest), { each }) as typeof test;
  },
  describe: (title: string, tests: () => void): void => {
    const suite = isInSixth(title) ? describe : describe.skip;
    suite(title, tests);
  },
};
