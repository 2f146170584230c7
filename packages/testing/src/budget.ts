import { describe, test } from '@jest/globals';

const isLong = process.env['COMANDA_LONG'] === '1';

/** How much a test does: `short` in `npm test`, `long` in the nightly run (`npm run test:full`). */
export const budget = <T>(short: T, long: T): T => (isLong ? long : short);

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
