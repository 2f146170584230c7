// Creates the first manager: MANAGER_PASSWORD=… npm run create-manager -- --email marta@example.com --name Marta
import { secretSetting } from '@comanda/shared/config/load-config';
import Joi from 'joi';
import { runCommand } from './run-command.ts';
import { createManager } from './users/create-manager.ts';

const settings = {
  password: secretSetting(
    'MANAGER_PASSWORD',
    Joi.string(),
    'The password of the manager; without it, the command asks',
  ),
};
const input = { args: process.argv.slice(2), clock: Date.now };
await runCommand({
  env: process.env,
  settings,
  run: (context) => createManager(context, { ...input, password: context.config.password }),
});
