import type { Connection } from 'mongoose';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { createLedgerReaderStore } from '../../src/audit/ledger-reader-store.ts';
import { verifyLedger } from '../../src/audit/verify-ledger.ts';
import { testConsentKeys } from './test-consents.ts';

type Given = {
  connection: Connection;
  keys: PublicKeys;
  /** The keys for authorizations. Default: the tests' own keys. */
  consentKeys?: PublicKeys;
  unopenedKeys?: readonly unknown[];
  expectedJws?: string | undefined;
};

/** Returns the findings of `verifyLedger`, each as `row: what`. */
export async function findingsOf({ connection, consentKeys = testConsentKeys, ...given }: Given): Promise<string[]> {
  const found: string[] = [];
  const options = { ...given, reader: createLedgerReaderStore(connection), consentKeys, onProgress: () => undefined };
  for await (const { row, what } of verifyLedger(options)) found.push(`${row}: ${what}`);
  return found;
}
