import { runService } from '@comanda/shared/runtime/lifecycle';
import { versionOf } from '@comanda/shared/runtime/version';
import { gatewaySettings } from './config.ts';
import { startGateway } from './service.ts';

await runService({
  name: 'gateway',
  version: versionOf(import.meta.url),
  env: process.env,
  settings: gatewaySettings,
  start: startGateway,
});
