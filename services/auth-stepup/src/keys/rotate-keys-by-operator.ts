import { createSealer } from '@comanda/shared/crypto/seal';
import type { sealingSettings } from '@comanda/shared/crypto/seal';
import type { Clock } from '@comanda/shared/runtime/clock';
import { CommandError } from '../run-command.ts';
import type { CommandContext } from '../run-command.ts';
import { createKeyStore, prepareKeys } from './key-store.ts';
import { rotateKeys } from './rotate-keys.ts';

/** The command `rotate-keys`: the next signing key is published now, before it is due. */
export async function rotateKeysByOperator(
  { connection, config, logger }: CommandContext<typeof sealingSettings>,
  { clock }: { clock: Clock },
): Promise<string> {
  await prepareKeys(connection);
  const store = createKeyStore(connection, { sealer: createSealer(config.keySealingSecret), logger });
  const key = await rotateKeys({ store, clock });
  if (!key) throw new CommandError('The next key is already published.');
  return `Key ${key.kid} is published and signs from ${new Date(key.signsFrom).toISOString()}.`;
}
