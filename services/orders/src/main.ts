import { runService } from '@comanda/shared/runtime/lifecycle';
import { ordersSettings } from './config.ts';

await runService({
  name: 'orders',
  env: process.env,
  settings: ordersSettings,
  load: async () => (await import('./service.ts')).startOrders,
});
