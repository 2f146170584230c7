const isLong = process.env['COMANDA_LONG'] === '1';

/**
 * Returns a test's size, such as its number of rounds: `short` in `npm test`, `long` in the nightly run (`npm run test:full`).
 */
export const budget = <T>(short: T, long: T): T => (isLong ? long : short);
