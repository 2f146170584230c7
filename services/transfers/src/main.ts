import { runService } from '@comanda/shared/runtime/lifecycle';
import { transfersSettings } from './config.ts';
import { startTransfers } from './service.ts';

await runService({ name: 'transfers', env: process.env, settings: transfersSettings, start: startTransfers });
