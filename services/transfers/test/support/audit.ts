import mongoose from 'mongoose';
import { createLedgerReaderStore } from '../../src/audit/ledger-reader-store.ts';
import { verifyLedger } from '../../src/audit/verify-ledger.ts';
import { createSigningKeyStore } from '../../src/receipts/signing-key-store.ts';
import { createSealer } from '@comanda/shared/crypto/seal';
import { silentLogger } from '@comanda/testing/silent-logger';

/** All that `npm run verify-ledger` finds in a database. */
export async function audit(where: { uri: string; database: string; secret: string }): Promise<string[]> {
  const connection = await mongoose.createConnection(where.uri, { dbName: where.database }).asPromise();
  try {
    const sealer = createSealer(where.secret);
    const store = createSigningKeyStore(connection, { sealer, logger: silentLogger });
    const { trusted: keys, unopened: unopenedKeys } = await store.findTrustedKeys();
    const found: string[] = [];
    const reader = createLedgerReaderStore(connection);
    for await (const { row, what } of verifyLedger({ reader, keys, unopenedKeys, onProgress: () => undefined }))
      found.push(`${row}: ${what}`);
    return found;
  } finally {
    await connection.close();
  }
}
