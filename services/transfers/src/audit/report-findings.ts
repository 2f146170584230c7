import Joi from 'joi';
import { setting, tokenSettings } from '@comanda/shared/config/load-config';
import { createSealer, sealingSettings } from '@comanda/shared/crypto/seal';
import { CommandError } from '@comanda/shared/mongo/run-command';
import type { Logger } from '@comanda/shared/runtime/logger';
import { loadKeySet } from '@comanda/shared/crypto/load-key-set';
import { createSigningKeyStore } from '../receipts/signing-key-store.ts';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { createLedgerReaderStore } from './ledger-reader-store.ts';
import { ofNewerRelease } from './shape.ts';
import { verifyLedger, type Counted } from './verify-ledger.ts';

type Context = {
  connection: Parameters<typeof createLedgerReaderStore>[0];
  config: { keySealingSecret: string; jwksUrl: string };
  logger: Logger;
};
type Input = {
  /**
   * The public keys' source: a URL or a file. If undefined, the command opens the keys in the database with KEY_SEALING_SECRET,
   * and loads the keys for authorizations from JWKS_URL.
   */
  keySetSource: string | undefined;
  /** A checkpoint's signature from the logs. The database must contain this checkpoint. Undefined if none was given. */
  expectedJws: string | undefined;
  /** `unverified`: checks only that each authorization exists, because auth-stepup no longer publishes the keys. */
  consents: 'verified' | 'unverified';
};
const maxPrinted = 100;
type Count = { rows: number; first: string };

/** The command's settings if no key set is given. */
export const keySettings = { ...sealingSettings, jwksUrl: tokenSettings.jwksUrl };
/** The command's settings if a key set is given. All are optional, because no sealed keys are opened. */
export const optionalKeySettings = {
  jwksUrl: tokenSettings.jwksUrl,
  keySealingSecret: setting('KEY_SEALING_SECRET', Joi.string().allow(''), 'Not used'),
};

/**
 * Verifies the ledger. Prints progress to standard error and the first findings to standard output. Returns a summary.
 * @throws CommandError if there are findings
 */
export async function reportFindings(context: Context, input: Input): Promise<string> {
  const reader = createLedgerReaderStore(context.connection);
  const { expectedJws, consents } = input;
  const keys = await loadKeys(context, input);
  const verified: Record<Counted, number> = { transfers: 0, accounts: 0, checkpoints: 0 };
  const onProgress = (what: Counted, done: number, total: number): void => {
    verified[what] = done;
    process.stderr.write(`${what}: ${done} of ${total}\n`);
  };
  const tampered: Count = { rows: 0, first: '' };
  const newer: Count = { rows: 0, first: '' };
  for await (const { row, what } of verifyLedger({ reader, ...keys, expectedJws, onProgress })) {
    const count = what === ofNewerRelease ? newer : tampered;
    if (count.rows === 0) count.first = row;
    if (++count.rows <= maxPrinted) process.stdout.write(`${row}: ${what}\n`);
  }
  const unverified =
    newer.rows === 0
      ? ''
      : `Only verify-ledger of a newer release can verify the rows that it has written: ${newer.rows}, the first is ${newer.first}.`;
  if (tampered.rows > 0)
    throw new CommandError(
      `The ledger was tampered with (${tampered.rows} findings). The first row: ${tampered.first}. ${unverified}`.trim(),
    );
  if (newer.rows > 0) throw new CommandError(`The ledger is not verified. ${unverified}`);
  const { transfers, accounts, checkpoints } = verified;
  if (transfers + accounts + checkpoints === 0)
    return 'There is nothing to verify: the ledger has no transfer, no account and no checkpoint. If it ever had one, all of it was deleted.';
  const intact = 'The ledger is intact: every transfer, chain, balance, receipt and checkpoint is as it was written.';
  const counts = `Verified: transfers ${transfers}, accounts ${accounts}, checkpoints ${checkpoints}.`;
  return `${intact} ${counts} ${consents === 'verified' ? 'Every consent is for its transfer.' : 'Consents were not verified.'}`;
}

type Keys = { keys: PublicKeys; consentKeys: PublicKeys | null; unopenedKeys: unknown[] };

async function loadKeys({ connection, config, logger }: Context, { keySetSource, consents }: Input): Promise<Keys> {
  // The keys for authorizations must not come from this database, because an attacker who controls this service could replace
  // them.
  const keySet =
    keySetSource !== undefined || consents === 'verified'
      ? await loadKeySet(keySetSource ?? config.jwksUrl).catch((error: Error) => {
          throw new CommandError(error.message, { cause: error });
        })
      : null;
  const consentKeys = consents === 'verified' && keySet ? keySet.consents : null;
  if (keySetSource !== undefined && keySet) return { keys: keySet.receipts, consentKeys, unopenedKeys: [] };
  const store = createSigningKeyStore(connection, { sealer: createSealer(config.keySealingSecret), logger });
  const { trusted: keys, unopened: unopenedKeys } = await store.findTrustedKeys();
  return { keys, consentKeys, unopenedKeys };
}
