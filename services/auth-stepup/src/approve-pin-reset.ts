// Approves a PIN reset for the only manager, because there is no other manager who could: npm run approve-pin-reset -- --email
// marta@example.com
import { approvePinResetByOperator } from './pin/approve-pin-reset-by-operator.ts';
import { runCommand } from './run-command.ts';

const input = { args: process.argv.slice(2), clock: Date.now };
await runCommand({ env: process.env, settings: {}, run: (context) => approvePinResetByOperator(context, input) });
