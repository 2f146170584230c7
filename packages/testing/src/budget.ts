/** How much a random or fault test does: `short` in `npm test`, `long` in `npm run test:long`. */
export const budget = <T>(short: T, long: T): T => (process.env['COMANDA_LONG'] === '1' ? long : short);
