import { createSealer } from '@comanda/shared/crypto/seal';
import { createSigningKeys } from '@comanda/shared/crypto/signing-keys';
import type { MongoLink } from '@comanda/shared/mongo/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { AuthStepupConfig } from '../config.ts';
import { createConsentKeyStore } from './consent-key-store.ts';
import { createKeyKeeper } from './key-keeper.ts';
import { createKeyStore } from './key-store.ts';

type Options = { config: AuthStepupConfig; logger: Logger; clock: Clock };

const dayMs = 24 * 3600_000;

/**
 * Creates this instance's copies of the keys that sign tokens and authorizations. Call `load` to load the keys before the service
 * reports that it is ready.
 */
export function openKeys({ config, logger, clock }: Options) {
  const sealer = createSealer(config.keySealingSecret);
  const keys = createKeyKeeper({ everyMs: config.keyRotationDays * dayMs, logger, clock });
  const consentKeys = createSigningKeys();

  async function load(connection: MongoLink['connection']): Promise<void> {
    const keyStore = createKeyStore(connection, { sealer, logger });
    await keyStore.resealOutdated();
    await keys.refresh(keyStore);
    const consentKeyStore = createConsentKeyStore(connection, { sealer, logger });
    consentKeys.set(await consentKeyStore.getSigningKeys(new Date(clock())));
  }
  return { sealer, keys, consentKeys, load };
}
