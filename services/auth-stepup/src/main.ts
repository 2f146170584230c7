import { runService } from '@comanda/shared/runtime/lifecycle';
import { authStepupSettings } from './config.ts';

await runService({
  name: 'auth-stepup',
  env: process.env,
  settings: authStepupSettings,
  load: async () => (await import('./service.ts')).startAuthStepup,
});
