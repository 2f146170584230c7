import { runService } from '@comanda/shared/runtime/lifecycle';
import { transfersSettings } from './config.ts';

await runService({
  name: 'transfers',
  env: process.env,
  settings: transfersSettings,
  load: async () => (await import('./service.ts')).startTransfers,
});
