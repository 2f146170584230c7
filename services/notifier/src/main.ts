import { runService } from '@comanda/shared/runtime/lifecycle';
import { notifierSettings } from './config.ts';

await runService({
  name: 'notifier',
  env: process.env,
  settings: notifierSettings,
  load: async () => (await import('./service.ts')).startNotifier,
});
