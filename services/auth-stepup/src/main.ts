import { runService } from '@comanda/shared/runtime/lifecycle';
import { authStepupSettings } from './config.ts';
import { startAuthStepup } from './service.ts';

await runService({
  name: 'auth-stepup',
  env: process.env,
  settings: authStepupSettings,
  start: (config, logger) => startAuthStepup(config, logger),
});
