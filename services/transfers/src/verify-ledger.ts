// Checks whether a ledger is as it was written:
// npm run verify-ledger [-- --jwks <file or URL>] [-- --checkpoint <signature from a log>]
import { parseArgs } from 'node:util';
import { runCommand } from '@comanda/shared/mongo/run-command';
import { keySettings, optionalKeySettings, reportFindings } from './audit/report-findings.ts';

const { values } = parseArgs({ options: { jwks: { type: 'string' }, checkpoint: { type: 'string' } } });
const input = { keySetSource: values.jwks, expectedJws: values.checkpoint };
await runCommand({
  of: { service: 'transfers', database: 'comanda_transfers' },
  env: process.env,
  settings: input.keySetSource === undefined ? keySettings : optionalKeySettings,
  run: (context) => reportFindings(context, input),
});
