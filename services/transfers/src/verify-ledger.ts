// Whether the ledger is as it was written: npm run verify-ledger [-- --jwks <file or URL>] [-- --checkpoint <from a log>]
import { parseArgs } from 'node:util';
import { setting } from '@comanda/shared/config/load-config';
import { createSealer, sealingSettings } from '@comanda/shared/crypto/seal';
import Joi from 'joi';
import { CommandError, runCommand } from '@comanda/shared/mongo/run-command';
import { createLedgerReader } from './audit/ledger-reader-store.ts';
import { verifyLedger } from './audit/verify-ledger.ts';
import { loadKeySet } from './receipts/key-set.ts';
import { createSigningKeyStore } from './receipts/signing-key-store.ts';

const { values } = parseArgs({ options: { jwks: { type: 'string' }, checkpoint: { type: 'string' } } });
const mostTold = 100;
/** With a key set given there is nothing to open. */
const notNeeded = { keySealingSecret: setting('KEY_SEALING_SECRET', Joi.string().allow(''), 'Not used') };

await runCommand({
  of: { service: 'transfers', database: 'comanda_transfers' },
  env: process.env,
  settings: values.jwks === undefined ? sealingSettings : notNeeded,
  run: async ({ connection, config, logger }) => {
    const keys =
      values.jwks === undefined
        ? await createSigningKeyStore(connection, {
            sealer: createSealer(config.keySealingSecret),
            logger,
          }).trusted()
        : await loadKeySet(values.jwks);
    const reader = createLedgerReader(connection);
    const onProgress = (what: string, done: number, of: number): void =>
      void process.stderr.write(`${what}: ${done} of ${of}\n`);
    let first: string | null = null;
    let found = 0;
    for await (const { row, what } of verifyLedger({ reader, keys, known: values.checkpoint, onProgress })) {
      first ??= row;
      if (++found <= mostTold) process.stdout.write(`${row}: ${what}\n`);
    }
    if (first !== null)
      throw new CommandError(`The ledger was tampered with (${found} findings). The first row: ${first}.`);
    return 'The ledger is whole: every transfer, chain, balance, receipt and checkpoint is as it was written.';
  },
});
