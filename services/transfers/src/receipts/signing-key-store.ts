import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Sealer } from '@comanda/shared/crypto/seal';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PublicKeys, Signer } from './statement.ts';

/** `_id`: 1, 2, 3, …, so that no two instances both add the next one. */
type KeyDocument = {
  _id: number;
  kid: string;
  created_at: Date;
  public_jwk: { kty: string; crv: string; x: string; y: string };
  sealed_private_key: string;
};
export type SigningKeys = { signer: Signer; publicKeys: object[] };

const label = (kid: string): string => `receipt-key:${kid}`;

export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>;

/** The keys that sign receipts and checkpoints; private halves are sealed. None is ever removed: receipts stay good. */
export function createSigningKeyStore(connection: Connection, { sealer, logger }: { sealer: Sealer; logger: Logger }) {
  const keys = connection.collection<KeyDocument>('keys');

  function open({ kid, sealed_private_key: box }: KeyDocument): KeyObject | null {
    try {
      return createPrivateKey({ key: sealer.open(box, label(kid)), format: 'der', type: 'pkcs8' });
    } catch (error) {
      logger.error({ err: error, kid }, 'a signing key was sealed with another KEY_SEALING_SECRET: it will not sign');
      return null;
    }
  }
  async function read(): Promise<{ signer: Signer | null; publicKeys: object[]; newest: number }> {
    const found = await keys.find().sort({ _id: 1 }).toArray();
    const opened = found.flatMap((document) => {
      const privateKey = open(document);
      return privateKey ? [{ kid: document.kid, privateKey }] : [];
    });
    const publicKeys = found.map(({ kid, public_jwk: jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'ES256' }));
    const { _id: newest } = found.at(-1) ?? { _id: 0 };
    return { signer: opened.at(-1) ?? null, publicKeys, newest };
  }
  async function add(sequence: number, now: Date): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = randomUUID();
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    await keys.insertOne({
      _id: sequence,
      kid,
      created_at: now,
      public_jwk: publicKey.export({ format: 'jwk' }) as KeyDocument['public_jwk'],
      sealed_private_key: sealer.seal(der, label(kid)),
    });
  }
  return {
    /** Public keys whose private halves this secret opens: nobody without it has put them there. */
    trusted: async (): Promise<PublicKeys> => {
      const found = await keys.find().toArray();
      const opened = found.flatMap((document) => {
        const privateKey = open(document);
        return privateKey ? [[document.kid, createPublicKey(privateKey)] as const] : [];
      });
      return new Map(opened);
    },
    /** The newest key that this secret opens; where there is none, a new one is made. */
    load: async (now: Date): Promise<SigningKeys> => {
      const { signer, publicKeys, newest } = await read();
      if (signer) return { signer, publicKeys };
      await add(newest + 1, now).catch((error: unknown) => {
        if (!isDuplicate(error)) throw error; // another instance was first: its key is read below
      });
      const again = await read();
      if (!again.signer) throw new Error('no signing key can be opened with this KEY_SEALING_SECRET');
      return { signer: again.signer, publicKeys: again.publicKeys };
    },
  };
}
