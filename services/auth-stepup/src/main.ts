import { runService } from '@comanda/shared/runtime/lifecycle';
import { versionOf } from '@comanda/shared/runtime/version';
import { authStepupSettings } from './config.ts';
import { startAuthStepup } from './service.ts';

await runService({
  name: 'auth-stepup',
  version: versionOf(import.meta.url),
  env: process.env,
  settings: authStepupSettings,
  start: (config, logger) => startAuthStepup(config, logger),
});
