import mongoose from 'mongoose';
import { loadKeySet } from '@comanda/shared/crypto/load-key-set';
import { createSigningKeyStore } from '../../src/receipts/signing-key-store.ts';
import { createSealer } from '@comanda/shared/crypto/seal';
import { silentLogger } from '@comanda/testing/silent-logger';
import { findingsOf } from './findings.ts';
import { testConsentKeys } from './test-consents.ts';

/** `jwksUrl`: the key set of an auth-stepup whose authorizations are accepted, besides those with the tests' own keys. */
type Where = { uri: string; database: string; secret: string; jwksUrl: string };

/** Returns all findings of `npm run verify-ledger` for a database. */
export async function audit(where: Where): Promise<string[]> {
  const connection = await mongoose.createConnection(where.uri, { dbName: where.database }).asPromise();
  try {
    const sealer = createSealer(where.secret);
    const store = createSigningKeyStore(connection, { sealer, logger: silentLogger });
    const { trusted: keys, unopened: unopenedKeys } = await store.findTrustedKeys();
    const { consents } = await loadKeySet(where.jwksUrl);
    const consentKeys = new Map([...testConsentKeys, ...consents]);
    return await findingsOf({ connection, keys, consentKeys, unopenedKeys });
  } finally {
    await connection.close();
  }
}
