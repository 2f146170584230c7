import { runService } from '@comanda/shared/runtime/lifecycle';
import { ordersSettings } from './config.ts';
import { startOrders } from './service.ts';

await runService({ name: 'orders', env: process.env, settings: ordersSettings, start: startOrders });
