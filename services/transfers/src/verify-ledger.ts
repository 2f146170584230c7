// Checks whether a ledger is unchanged: npm run verify-ledger [-- --jwks <file or URL>] [-- --checkpoint <signature from a log>]
// [-- --without-consents]
import { parseArgs } from 'node:util';
import { runCommand } from '@comanda/shared/mongo/run-command';
import { keySettings, optionalKeySettings, reportFindings } from './audit/report-findings.ts';

const { values } = parseArgs({
  options: { jwks: { type: 'string' }, checkpoint: { type: 'string' }, 'without-consents': { type: 'boolean' } },
});
const input = {
  keySetSource: values.jwks,
  expectedJws: values.checkpoint,
  consents: values['without-consents'] ? ('unverified' as const) : ('verified' as const),
};
await runCommand({
  of: { service: 'transfers', database: 'comanda_transfers' },
  env: process.env,
  settings: input.keySetSource === undefined ? keySettings : optionalKeySettings,
  run: (context) => reportFindings(context, input),
});
