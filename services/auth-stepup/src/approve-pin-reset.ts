// Approves a PIN reset for a manager who is the only one, so no other manager can approve it: npm run approve-pin-reset --
// --email marta@example.com
import { approvePinResetByOperator } from './pin/approve-pin-reset-by-operator.ts';
import { runCommand } from './run-command.ts';

const input = { args: process.argv.slice(2), clock: Date.now };
await runCommand({ env: process.env, settings: {}, run: (context) => approvePinResetByOperator(context, input) });
