import { runService } from '@comanda/shared/runtime/lifecycle';
import { versionOf } from '@comanda/shared/runtime/version';
import { transfersSettings } from './config.ts';
import { startTransfers } from './service.ts';

await runService({
  name: 'transfers',
  version: versionOf(import.meta.url),
  env: process.env,
  settings: transfersSettings,
  start: startTransfers,
});
