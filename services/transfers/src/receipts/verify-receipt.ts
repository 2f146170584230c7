import { loadKeySet } from './key-set.ts';
import { readStatement } from './statement.ts';

/**
 * The payload of a receipt.
 * @throws Error if no key of the key set at `keySetSource`, a URL or a file, has signed it
 */
export async function verifyReceipt(receipt: string, keySetSource: string): Promise<Record<string, unknown>> {
  const payload = readStatement(receipt, 'receipt+jws', await loadKeySet(keySetSource));
  if (!payload) throw new Error(`This receipt was not signed by a key of ${keySetSource}.`);
  return payload;
}
