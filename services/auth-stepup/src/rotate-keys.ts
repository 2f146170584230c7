// Publishes the next signing key before it is due: npm run rotate-keys
// Removes a key immediately: npm run rotate-keys -- --revoke <kid>
import { sealingSettings } from '@comanda/shared/crypto/seal';
import { rotateKeysByOperator } from './keys/rotate-keys-by-operator.ts';
import { runCommand } from './run-command.ts';

const input = { args: process.argv.slice(2), clock: Date.now };
await runCommand({
  env: process.env,
  settings: sealingSettings,
  run: (context) => rotateKeysByOperator(context, input),
});
