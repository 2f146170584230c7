import mongoose from 'mongoose';
import { createLedgerReaderStore } from '../../src/audit/ledger-reader-store.ts';
import { verifyLedger } from '../../src/audit/verify-ledger.ts';
import { loadKeySet } from '../../src/receipts/key-set.ts';
import { createSigningKeyStore } from '../../src/receipts/signing-key-store.ts';
import { createSealer } from '@comanda/shared/crypto/seal';
import { silentLogger } from '@comanda/testing/silent-logger';
import { testConsentKeys } from './test-consents.ts';

/** `jwksUrl`: of the auth-stepup that has signed consents, besides those of tests. */
type Where = { uri: string; database: string; secret: string; jwksUrl: string };

/** All that `npm run verify-ledger` finds in a database. */
export async function audit(where: Where): Promise<string[]> {
  const connection = await mongoose.createConnection(where.uri, { dbName: where.database }).asPromise();
  try {
    const sealer = createSealer(where.secret);
    const store = createSigningKeyStore(connection, { sealer, logger: silentLogger });
    const { trusted: keys, unopened: unopenedKeys } = await store.findTrustedKeys();
    const found: string[] = [];
    const reader = createLedgerReaderStore(connection);
    const { consents } = await loadKeySet(where.jwksUrl);
    const consentKeys = new Map([...testConsentKeys, ...consents]);
    const options = { reader, keys, consentKeys, unopenedKeys, onProgress: () => undefined };
    for await (const { row, what } of verifyLedger(options)) found.push(`${row}: ${what}`);
    return found;
  } finally {
    await connection.close();
  }
}
