import type { Sealer } from '@comanda/shared/crypto/seal';
import { createSigningKeyStore, signingKeySchemaOf } from '@comanda/shared/mongo/signing-key-store';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Connection } from 'mongoose';

export const consentKeySchema = signingKeySchemaOf('consent_keys');

/**
 * Creates the store for the keys that sign authorizations. Token keys are deleted after their last token expires, but a signed
 * authorization must stay verifiable forever.
 */
export const createConsentKeyStore = (connection: Connection, options: { sealer: Sealer; logger: Logger }) =>
  createSigningKeyStore(connection, { ...options, schema: consentKeySchema, purpose: 'consents' });
