// Publishes the next signing key now, before it is due: npm run rotate-keys
import { sealingSettings } from '@comanda/shared/crypto/seal';
import { rotateKeysByOperator } from './keys/rotate-keys-by-operator.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  env: process.env,
  settings: sealingSettings,
  run: (context) => rotateKeysByOperator(context, { clock: Date.now }),
});
