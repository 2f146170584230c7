// Whether a receipt is genuine, offline where the key set is a file:
// npm run verify-receipt -- <receipt> [--jwks <file or URL>]; the receipt comes from standard input where none is given.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { loadKeySet } from './receipts/key-set.ts';
import { readStatement } from './receipts/statement.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jwks: { type: 'string', default: 'http://localhost:3000/.well-known/jwks.json' } },
});
try {
  const receipt = (positionals[0] ?? (await text(process.stdin))).trim();
  const said = readStatement(receipt, 'receipt+jws', await loadKeySet(values.jwks));
  if (!said) throw new Error(`This receipt was not signed by a key of ${values.jwks}.`);
  process.stdout.write(`${JSON.stringify(said, null, 2)}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
