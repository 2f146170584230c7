import type { Sealer } from '@comanda/shared/crypto/seal';
import * as signingKeys from '@comanda/shared/mongo/signing-key-store';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Connection } from 'mongoose';

export const signingKeySchema = signingKeys.signingKeySchemaOf('keys');

/** Creates the store for the keys that sign receipts, rejections, accounts and checkpoints. */
export const createSigningKeyStore = (connection: Connection, options: { sealer: Sealer; logger: Logger }) =>
  signingKeys.createSigningKeyStore(connection, { ...options, schema: signingKeySchema, purpose: 'receipts' });
