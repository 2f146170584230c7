import { runService } from '@comanda/shared/runtime/lifecycle';
import { versionOf } from '@comanda/shared/runtime/version';
import { ordersSettings } from './config.ts';
import { startOrders } from './service.ts';

await runService({
  name: 'orders',
  version: versionOf(import.meta.url),
  env: process.env,
  settings: ordersSettings,
  start: startOrders,
});
