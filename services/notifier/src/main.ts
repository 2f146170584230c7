import { runService } from '@comanda/shared/runtime/lifecycle';
import { notifierSettings } from './config.ts';
import { startNotifier } from './service.ts';

await runService({ name: 'notifier', env: process.env, settings: notifierSettings, start: startNotifier });
