// Run this command after MongoDB, or only the orders database, was restored from a backup: npm run after-restore, or node
// dist/after-restore.js in the transfers image
import { findMissing, prepareCollections } from '@comanda/shared/mongo/collections';
import { runCommand } from '@comanda/shared/mongo/run-command';
import { attemptSchema, createAttemptStore } from './bill-payments/attempt-store.ts';
import { createIdStore } from './ids/id-store.ts';
import { pixReceiptSchema } from './pix/receipt-document.ts';
import { tellPixAgain } from './pix/receipt-store.ts';

const days = 30;
/** How many ids to skip: more than the service assigns between two backups. */
const skippedIds = 1_000_000;

await runCommand({
  of: {
    service: 'transfers',
    database: 'comanda_transfers',
    // Creates only the collections of attempts and of Pix, which a backup from an older release may lack: the service's database
    // user may not create them. The ledger's own collections stay as they are, because verify-ledger must find them unchanged.
    onConnect: async (connection) => {
      const schemas = [attemptSchema, pixReceiptSchema];
      const missing = await findMissing(connection, { schemas, rules: 'any' });
      if (missing.length > 0) await prepareCollections(connection, schemas);
    },
  },
  env: process.env,
  settings: {},
  run: async ({ connection }) => {
    const now = new Date();
    const since = new Date(now.getTime() - days * 24 * 3600_000);
    for (const name of ['account', 'transfer']) await createIdStore(connection, { name, blockSize: skippedIds })();
    const count = await createAttemptStore(connection).noteAllAgain({ since, now });
    const pix = await tellPixAgain(connection, { since, now });
    return `${count} payments and refunds of bills by account, of the last ${days} days, are told to orders again when transfers runs.\n${pix.settled} Pix are checked with orders again, and ${pix.refunds} refunds of Pix are told again.\nNew accounts and transfers have ids that are 1,000,000 higher.`;
  },
});
