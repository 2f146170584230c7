import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { Sealer } from '@comanda/shared/crypto/seal';
import type { KeyPurpose } from '@comanda/shared/crypto/key-purpose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Connection } from 'mongoose';
import type { SigningKey } from './key-ring.ts';

type KeyDocument = {
  _id: string;
  sequence: number;
  created_at: Date;
  signs_from: Date;
  sealed_private_key: string;
};
type LeaseDocument = { _id: 'key-rotation'; holder: string; until: Date };

const purpose: KeyPurpose = 'tokens';

/**
 * Returns all fields except the key pair as text. This text is sealed together with the private key, so that no field can be
 * changed without the secret.
 */
const label = ({ kid, sequence, createdAt, signsFrom }: Omit<SigningKey, 'privateKey' | 'publicKey'>): string =>
  JSON.stringify(['signing-key', purpose, kid, sequence, createdAt, signsFrom]);

export type KeyStore = ReturnType<typeof createKeyStore>;

export const keySchema = collectionSchema<KeyDocument>('keys', {
  _id: { type: String },
  sequence: { type: Number, required: true },
  created_at: { type: Date, required: true },
  signs_from: { type: Date, required: true },
  sealed_private_key: { type: String, required: true },
}).index({ sequence: 1 }, { unique: true });
export const leaseSchema = collectionSchema<LeaseDocument>('leases', {
  _id: { type: String, enum: ['key-rotation'] },
  holder: { type: String, required: true },
  until: { type: Date, required: true },
});

/**
 * Creates the store for signing keys in the collection `keys`. Private keys are stored sealed (encrypted). A document that
 * `sealer` cannot open is ignored, so an attacker with write access but without the secret cannot add or change a key. A lease in
 * `leases` ensures that only one instance at a time changes the keys.
 */
export function createKeyStore(connection: Connection, { sealer, logger }: { sealer: Sealer; logger: Logger }) {
  const keys = collectionOf(connection, keySchema);
  const leases = collectionOf(connection, leaseSchema);
  const reported = new Set<string>();

  /** Opens a stored key. Returns null if the key was changed or was sealed with a secret that this instance does not have. */
  function openKey({ _id: kid, ...document }: KeyDocument): SigningKey | null {
    try {
      const facts = {
        kid,
        sequence: document.sequence,
        createdAt: document.created_at.getTime(),
        signsFrom: document.signs_from.getTime(),
      };
      const der = sealer.open(document.sealed_private_key, label(facts));
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      return { ...facts, publicKey: createPublicKey(privateKey), privateKey };
    } catch (error) {
      reportOnce(kid, error);
      return null;
    }
  }
  function reportOnce(kid: string, error: unknown): void {
    if (reported.has(kid)) return;
    reported.add(kid);
    logger.error({ err: error, kid }, 'a signing key is not used: KEY_SEALING_SECRET does not open it');
  }

  return {
    /** Returns all keys that this instance can open. */
    findAll: async (): Promise<SigningKey[]> => {
      const documents = await keys.find().toArray();
      return documents.flatMap((document) => openKey(document) ?? []);
    },
    /**
     * Returns a sequence number above those of all stored keys, including keys that this instance cannot open. Call it before
     * loading the keys that decide whether a new one is due: if another instance inserts a key in between, the insertion fails.
     */
    getNextSequence: async (): Promise<number> => {
      const last = await keys
        .find({ sequence: { $lt: Number.MAX_SAFE_INTEGER } })
        .sort({ sequence: -1 })
        .limit(1)
        .next();
      return Math.max(0, Math.trunc(last?.sequence ?? 0)) + 1;
    },
    /** Inserts a key. Returns false if another instance has already inserted a key with this sequence number. */
    insert: async (key: SigningKey): Promise<boolean> => {
      const der = key.privateKey.export({ format: 'der', type: 'pkcs8' });
      try {
        await keys.insertOne({
          _id: key.kid,
          sequence: key.sequence,
          created_at: new Date(key.createdAt),
          signs_from: new Date(key.signsFrom),
          sealed_private_key: sealer.seal(der, label(key)),
        });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    /**
     * Re-seals every key that was sealed with another secret, so that the other secret can be removed. Uses the current secret.
     */
    resealOutdated: async (): Promise<void> => {
      for (const document of await keys.find().toArray()) {
        const key = openKey(document);
        if (!key || sealer.isCurrent(document.sealed_private_key)) continue;
        const der = key.privateKey.export({ format: 'der', type: 'pkcs8' });
        await keys.updateOne({ _id: key.kid }, { $set: { sealed_private_key: sealer.seal(der, label(key)) } });
      }
    },
    /** Returns true if a key with this id exists, even if this instance cannot open it. */
    has: async (kid: string): Promise<boolean> => (await keys.countDocuments({ _id: kid })) > 0,
    delete: async (kids: readonly string[], session?: Session): Promise<void> => {
      await keys.deleteMany({ _id: { $in: [...kids] } }, { ...(session && { session }) });
    },
    /**
     * Acquires or extends the lease for `holder` until `untilMs` (milliseconds since the epoch). Returns false if another holder
     * has the lease.
     */
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
