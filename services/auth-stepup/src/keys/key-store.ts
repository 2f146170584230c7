import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Sealer } from '@comanda/shared/crypto/seal';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Connection } from 'mongoose';
import type { PublicJwk, SigningKey } from './key-ring.ts';

type KeyDocument = {
  _id: string;
  sequence: number;
  created_at: Date;
  signs_from: Date;
  public_jwk: PublicJwk;
  sealed_private_key: string;
};
type LeaseDocument = { _id: 'key-rotation'; holder: string; until: Date };

const label = (kid: string): string => `signing-key:${kid}`;

export type KeyStore = ReturnType<typeof createKeyStore>;

const keysOf = (connection: Connection) => connection.collection<KeyDocument>('keys');

/** Creates the unique index that lets only one instance add the next key. */
export async function prepareKeys(connection: Connection): Promise<void> {
  await keysOf(connection).createIndex({ sequence: 1 }, { unique: true });
}

/** Signing keys in `keys`, with sealed private keys. A lease in `leases` lets one instance at a time change them. */
export function createKeyStore(connection: Connection, { sealer, logger }: { sealer: Sealer; logger: Logger }) {
  const keys = keysOf(connection);
  const leases = connection.collection<LeaseDocument>('leases');

  /** Null if the key was sealed with another secret. */
  function openPrivateKey(kid: string, sealedPrivateKey: string): KeyObject | null {
    try {
      return createPrivateKey({ key: sealer.open(sealedPrivateKey, label(kid)), format: 'der', type: 'pkcs8' });
    } catch (error) {
      logger.error({ err: error, kid }, 'a signing key was sealed with another KEY_SEALING_SECRET: it only verifies');
      return null;
    }
  }
  return {
    findAll: async (): Promise<SigningKey[]> => {
      const documents = await keys.find().toArray();
      return documents.map(({ _id: kid, ...document }) => ({
        kid,
        sequence: document.sequence,
        createdAt: document.created_at.getTime(),
        signsFrom: document.signs_from.getTime(),
        publicJwk: document.public_jwk,
        publicKey: createPublicKey({ key: document.public_jwk, format: 'jwk' }),
        privateKey: openPrivateKey(kid, document.sealed_private_key),
      }));
    },
    /** Returns false if another instance has inserted a key with this sequence number. */
    insert: async (key: SigningKey & { privateKey: KeyObject }): Promise<boolean> => {
      const der = key.privateKey.export({ format: 'der', type: 'pkcs8' });
      try {
        await keys.insertOne({
          _id: key.kid,
          sequence: key.sequence,
          created_at: new Date(key.createdAt),
          signs_from: new Date(key.signsFrom),
          public_jwk: key.publicJwk,
          sealed_private_key: sealer.seal(der, label(key.kid)),
        });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    delete: async (kids: readonly string[]): Promise<void> => {
      await keys.deleteMany({ _id: { $in: [...kids] } });
    },
    /** Returns true for one `holder` at a time, until `untilMs`. The holder may extend the lease. */
    acquireLease: async (holder: string, { now, untilMs }: { now: number; untilMs: number }): Promise<boolean> => {
      try {
        await leases.updateOne(
          { _id: 'key-rotation', $or: [{ holder }, { until: { $lte: new Date(now) } }] },
          { $set: { holder, until: new Date(untilMs) } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
  };
}
