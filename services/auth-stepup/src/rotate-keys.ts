// The next signing key, now and not when it is due: npm run rotate-keys
import { createSealer, sealingSettings } from '@comanda/shared/crypto/seal';
import { createKeyStore } from './keys/key-store.ts';
import { rotateKeys } from './keys/rotate-keys.ts';
import { CommandError, runCommand } from './run-command.ts';

await runCommand({
  env: process.env,
  settings: sealingSettings,
  run: async ({ connection, config, logger }) => {
    const store = createKeyStore(connection, { sealer: createSealer(config.keySealingSecret), logger });
    await store.prepare();
    const key = await rotateKeys(store, Date.now());
    if (!key) throw new CommandError('The next key is on its way already.');
    return `Key ${key.kid} is published and signs from ${new Date(key.signsFrom).toISOString()}.`;
  },
});
