// Creates the first manager: MANAGER_PASSWORD=… npm run create-manager -- --email marta@example.com --name Marta
import { runCommand } from './run-command.ts';
import { createManager } from './users/create-manager.ts';

const input = { args: process.argv.slice(2), password: process.env['MANAGER_PASSWORD'], clock: Date.now };
await runCommand({ env: process.env, settings: {}, run: (context) => createManager(context, input) });
