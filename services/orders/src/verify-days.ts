// Checks whether the reports of closed days are as they were closed: npm run verify-days [-- --jwks <file or URL>]
// [-- --hash <number>:<hash from paper>], or node dist/verify-days.js in the image
import { parseArgs } from 'node:util';
import { tokenSettings } from '@comanda/shared/config/load-config';
import { loadKeySet } from '@comanda/shared/crypto/load-key-set';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { CommandError, runCommand } from '@comanda/shared/mongo/run-command';
import { ordersSettings } from './config.ts';
import { verifyDays } from './day/verify-days.ts';
import { ordersPreparation } from './preparation.ts';
import { createStores } from './stores.ts';

const { values } = parseArgs({ options: { jwks: { type: 'string' }, hash: { type: 'string', multiple: true } } });
const maxPrinted = 100;

await runCommand({
  of: {
    service: 'orders',
    database: 'comanda_orders',
    onConnect: (connection) => assertPrepared(connection, ordersPreparation),
  },
  env: process.env,
  settings: {
    jwksUrl: tokenSettings.jwksUrl,
    timeZone: ordersSettings.timeZone,
    dayStartsAt: ordersSettings.dayStartsAt,
  },
  run: async ({ connection, config }) => {
    const hashes = readHashes(values.hash ?? []);
    // The keys must not come from this database, because an attacker who controls this service could replace them.
    const { consents: consentKeys } = await loadKeySet(values.jwks ?? config.jwksUrl).catch((error: Error) => {
      throw new CommandError(error.message, { cause: error });
    });
    const stores = createStores(connection);
    let [findings, first] = [0, ''];
    for await (const { day, what } of verifyDays({ ...stores, restaurantClock: config }, { consentKeys, hashes })) {
      if (findings++ === 0) first = `day ${day}: ${what}`;
      if (findings <= maxPrinted) process.stdout.write(`day ${day}: ${what}\n`);
    }
    if (findings > 0)
      throw new CommandError(`The days were tampered with (${findings} findings). The first: ${first}.`);
    const [newest] = await stores.days.listPage({ date: undefined, below: undefined, limit: 1 });
    if (!newest) return 'There is nothing to verify: no day is closed.';
    return `All ${newest.number} days are as they were closed. Compare the newest with its paper: ${newest.number}:${newest.hash}`;
  },
});

/** Returns the hashes from paper by the number of the day. @throws CommandError if two papers of a day differ */
function readHashes(texts: readonly string[]): Map<number, string> {
  const hashes = new Map<number, string>();
  for (const text of texts) {
    const [, number = '', hash = ''] = /^([1-9]\d*):([0-9a-f]{64})$/.exec(text) ?? [];
    if (hash === '') throw new CommandError('--hash must be a day and its hash, such as 214:ab…, with 64 digits.');
    if ((hashes.get(Number(number)) ?? hash) !== hash)
      throw new CommandError(`--hash has two hashes of day ${number}.`);
    hashes.set(Number(number), hash);
  }
  return hashes;
}
