import type { Sealer } from '@comanda/shared/crypto/seal';
import { createSigningKeyStore, signingKeySchemaOf } from '@comanda/shared/mongo/signing-key-store';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Connection } from 'mongoose';

export const consentKeySchema = signingKeySchemaOf('consent_keys');

/** The keys that sign consents. Those of tokens are deleted some time after their last token; a consent is verified for ever. */
export const createConsentKeyStore = (connection: Connection, options: { sealer: Sealer; logger: Logger }) =>
  createSigningKeyStore(connection, { ...options, schema: consentKeySchema, purpose: 'consents' });
