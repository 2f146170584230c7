import { runService } from '@comanda/shared/runtime/lifecycle';
import { versionOf } from '@comanda/shared/runtime/version';
import { notifierSettings } from './config.ts';
import { startNotifier } from './service.ts';

await runService({
  name: 'notifier',
  version: versionOf(import.meta.url),
  env: process.env,
  settings: notifierSettings,
  start: startNotifier,
});
