import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Sealer } from '@comanda/shared/crypto/seal';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PublicKeys, Signer } from './statement.ts';

/** `_id` is 1, 2, 3, …: two instances cannot insert the same one. */
type KeyDocument = {
  _id: number;
  kid: string;
  created_at: Date;
  public_jwk: { kty: string; crv: string; x: string; y: string };
  sealed_private_key: string;
};
export type SigningKeys = { signer: Signer; publicKeys: object[] };

const label = (kid: string): string => `receipt-key:${kid}`;

/**
 * The keys that sign receipts and checkpoints. Private keys are sealed. No key is ever removed, so that every receipt
 * stays verifiable.
 */
export function createSigningKeyStore(connection: Connection, { sealer, logger }: { sealer: Sealer; logger: Logger }) {
  const keys = connection.collection<KeyDocument>('keys');

  function unseal({ kid, sealed_private_key: box }: KeyDocument): KeyObject | null {
    try {
      return createPrivateKey({ key: sealer.open(box, label(kid)), format: 'der', type: 'pkcs8' });
    } catch (error) {
      logger.error({ err: error, kid }, 'a signing key is not used: it was sealed with another KEY_SEALING_SECRET');
      return null;
    }
  }
  async function findKeys(): Promise<{ signer: Signer | null; publicKeys: object[]; newestId: number }> {
    const found = await keys.find().sort({ _id: 1 }).toArray();
    const signers = found.flatMap((document): Signer[] => {
      const privateKey = unseal(document);
      return privateKey ? [{ kid: document.kid, privateKey }] : [];
    });
    const publicKeys = found.map(({ kid, public_jwk: jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'ES256' }));
    const { _id: newestId } = found.at(-1) ?? { _id: 0 };
    return { signer: signers.at(-1) ?? null, publicKeys, newestId };
  }
  async function insertKey(id: number, now: Date): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = randomUUID();
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    await keys.insertOne({
      _id: id,
      kid,
      created_at: now,
      public_jwk: publicKey.export({ format: 'jwk' }) as KeyDocument['public_jwk'],
      sealed_private_key: sealer.seal(der, label(kid)),
    });
  }
  return {
    /** Public keys whose private keys this secret opens: only who has the secret can have inserted them. */
    findTrustedKeys: async (): Promise<PublicKeys> => {
      const found = await keys.find().toArray();
      const trusted = found.flatMap((document) => {
        const privateKey = unseal(document);
        return privateKey ? [[document.kid, createPublicKey(privateKey)] as const] : [];
      });
      return new Map(trusted);
    },
    /** All public keys, and the newest key that this secret opens. If there is none, a new key is inserted. */
    getSigningKeys: async (now: Date): Promise<SigningKeys> => {
      const { signer, publicKeys, newestId } = await findKeys();
      if (signer) return { signer, publicKeys };
      await insertKey(newestId + 1, now).catch((error: unknown) => {
        if (!isDuplicate(error)) throw error; // another instance inserted it first; it is read below
      });
      const again = await findKeys();
      if (!again.signer) throw new Error('KEY_SEALING_SECRET opens no signing key');
      return { signer: again.signer, publicKeys: again.publicKeys };
    },
  };
}
