import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Sealer } from '@comanda/shared/crypto/seal';
import type { Logger } from '@comanda/shared/runtime/logger';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import type { PublicJwk, SigningKey } from './key-ring.ts';

type KeyDocument = {
  _id: string;
  sequence: number;
  createdAt: Date;
  signsFrom: Date;
  publicJwk: PublicJwk;
  sealedPrivateKey: string;
};
type LeaseDocument = { _id: 'key-rotation'; holder: string; until: Date };

const label = (kid: string): string => `signing-key:${kid}`;
const isDuplicate = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === 11000;

export type KeyStore = ReturnType<typeof createKeyStore>;

/** Signing keys in `keys`, private halves sealed; who may add one is decided in `leases`. */
export function createKeyStore(connection: Connection, { sealer, logger }: { sealer: Sealer; logger: Logger }) {
  const keys = connection.collection<KeyDocument>('keys');
  const leases = connection.collection<LeaseDocument>('leases');

  function open(kid: string, sealedPrivateKey: string): KeyObject | null {
    try {
      return createPrivateKey({ key: sealer.open(sealedPrivateKey, label(kid)), format: 'der', type: 'pkcs8' });
    } catch (error) {
      logger.error({ err: error, kid }, 'a signing key was sealed with another KEY_SEALING_SECRET: it will not sign');
      return null;
    }
  }
  return {
    prepare: async (): Promise<void> => {
      await keys.createIndex({ sequence: 1 }, { unique: true });
    },
    all: async (): Promise<SigningKey[]> => {
      const found = await keys.find().toArray();
      return found.map(({ _id: kid, sequence, createdAt, signsFrom, publicJwk, sealedPrivateKey }) => ({
        kid,
        sequence,
        createdAt: createdAt.getTime(),
        signsFrom: signsFrom.getTime(),
        publicJwk,
        publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
        privateKey: open(kid, sealedPrivateKey),
      }));
    },
    /** False when another instance has added a key with this sequence. */
    add: async (key: SigningKey & { privateKey: KeyObject }): Promise<boolean> => {
      const der = key.privateKey.export({ format: 'der', type: 'pkcs8' });
      try {
        await keys.insertOne({
          _id: key.kid,
          sequence: key.sequence,
          createdAt: new Date(key.createdAt),
          signsFrom: new Date(key.signsFrom),
          publicJwk: key.publicJwk,
          sealedPrivateKey: sealer.seal(der, label(key.kid)),
        });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    remove: async (kids: readonly string[]): Promise<void> => {
      await keys.deleteMany({ _id: { $in: [...kids] } });
    },
    /** True for one `holder` at a time, until `untilMs`; the holder may prolong it. */
    lease: async (holder: string, { now, untilMs }: { now: number; untilMs: number }): Promise<boolean> => {
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
