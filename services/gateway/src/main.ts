import { runService } from '@comanda/shared/runtime/lifecycle';
import { gatewaySettings } from './config.ts';

await runService({
  name: 'gateway',
  env: process.env,
  settings: gatewaySettings,
  load: async () => (await import('./service.ts')).startGateway,
});
