import { runService } from '@comanda/shared/runtime/lifecycle';
import { gatewaySettings } from './config.ts';
import { startGateway } from './service.ts';

await runService({ name: 'gateway', env: process.env, settings: gatewaySettings, start: startGateway });
