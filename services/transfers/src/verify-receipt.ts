// Checks whether a receipt is genuine and prints it: npm run verify-receipt -- <receipt> [--jwks <file or URL>]. It needs no
// network if the key set is a file. Without <receipt>, it reads standard input, which can be the file that the app saves: the
// text above the signed part is ignored.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { verifyReceipt } from './audit/verify-receipt.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jwks: { type: 'string', default: 'http://localhost:3000/.well-known/jwks.json' } },
});
try {
  const receipt = (positionals[0] ?? (await text(process.stdin))).trim().split(/\s/).at(-1) ?? '';
  process.stdout.write(`${JSON.stringify(await verifyReceipt(receipt, values.jwks), null, 2)}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
