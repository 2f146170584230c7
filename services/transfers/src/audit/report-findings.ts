import Joi from 'joi';
import { setting } from '@comanda/shared/config/load-config';
import { createSealer } from '@comanda/shared/crypto/seal';
import { CommandError } from '@comanda/shared/mongo/run-command';
import type { Logger } from '@comanda/shared/runtime/logger';
import { loadKeySet } from '../receipts/key-set.ts';
import { createSigningKeyStore } from '../receipts/signing-key-store.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { createLedgerReaderStore } from './ledger-reader-store.ts';
import { verifyLedger } from './verify-ledger.ts';

type Context = {
  connection: Parameters<typeof createLedgerReaderStore>[0];
  config: { keySealingSecret: string };
  logger: Logger;
};
type Input = {
  /** A URL or a file with the public keys. Undefined: the keys in the database that KEY_SEALING_SECRET opens. */
  keySetSource: string | undefined;
  /** The signature of a checkpoint from the logs, which must exist in the database. */
  expectedJws: string | undefined;
};
const maxPrinted = 100;

/** The settings of the command if a key set is given: it opens no sealed keys. */
export const optionalSealingSettings = {
  keySealingSecret: setting('KEY_SEALING_SECRET', Joi.string().allow(''), 'Not used'),
};

/**
 * Verifies the ledger. Prints progress to standard error and the first findings to standard output.
 * @throws CommandError if there are findings
 */
export async function reportFindings(context: Context, { keySetSource, expectedJws }: Input): Promise<string> {
  const reader = createLedgerReaderStore(context.connection);
  const { trusted: keys, unopened: unopenedKeys } = await loadKeys(context, keySetSource);
  const onProgress = (what: string, done: number, total: number): void =>
    void process.stderr.write(`${what}: ${done} of ${total}\n`);
  let count = 0;
  let firstRow = '';
  for await (const { row, what } of verifyLedger({ reader, keys, unopenedKeys, expectedJws, onProgress })) {
    if (count === 0) firstRow = row;
    if (++count <= maxPrinted) process.stdout.write(`${row}: ${what}\n`);
  }
  if (count > 0)
    throw new CommandError(`The ledger was tampered with (${count} findings). The first row: ${firstRow}.`);
  return 'The ledger is intact: every transfer, chain, balance, receipt and checkpoint is as it was written.';
}

type Keys = { trusted: PublicKeys; unopened: unknown[] };

async function loadKeys({ connection, config, logger }: Context, keySetSource: string | undefined): Promise<Keys> {
  if (keySetSource !== undefined) return { trusted: await loadKeySet(keySetSource), unopened: [] };
  const sealer = createSealer(config.keySealingSecret);
  return createSigningKeyStore(connection, { sealer, logger }).findTrustedKeys();
}
