import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { KeyPurpose } from '../crypto/key-purpose.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { PublishedKey, SigningKeys } from '../crypto/signing-keys.ts';
import type { PublicKeys, Signer } from '../crypto/statement.ts';
import type { Logger } from '../runtime/logger.ts';
import { collectionOf, collectionSchema } from './collections.ts';
import { isDuplicate } from './transactions.ts';

/** A stored key. `_id` is 1, 2, 3, …, so two instances that insert a key at the same time can't both succeed. */
type KeyDocument = { _id: number; kid: string; created_at: Date; sealed_private_key: string };
/** Creates the schema for the collection `name`. It contains keys whose signatures must stay verifiable forever. */
export const signingKeySchemaOf = (name: string) =>
  collectionSchema<KeyDocument>(name, {
    _id: { type: Number, min: 1 },
    kid: { type: String, required: true },
    created_at: { type: Date, required: true },
    sealed_private_key: { type: String, required: true },
  });
type OpenedKey = Signer & { id: number; publicKey: KeyObject };

type Options = {
  schema: ReturnType<typeof signingKeySchemaOf>;
  purpose: Exclude<KeyPurpose, 'tokens'>;
  sealer: Sealer;
  logger: Logger;
};
/** The first part of the label with which the keys for a purpose are sealed. */
const labels = { receipts: 'receipt-key', consents: 'consent-key' } as const;

/**
 * Creates a store for keys whose signatures must stay verifiable forever. Private keys are sealed (encrypted). A document that
 * `sealer` cannot open is ignored: an attacker who can write to the database, but does not know the secret, can't add or change a
 * key. Keys are never removed.
 */
export function createSigningKeyStore(connection: Connection, { schema, purpose, sealer, logger }: Options) {
  const keys = collectionOf(connection, schema);
  /**
   * Returns the label with which a document's key is sealed. It contains all other fields of the document, so none of them can be
   * changed without the secret.
   */
  const label = ({ _id: id, kid, created_at: createdAt }: Omit<KeyDocument, 'sealed_private_key'>): string =>
    JSON.stringify([labels[purpose], purpose, id, kid, createdAt.getTime()]);

  function openKey(document: KeyDocument): OpenedKey | null {
    const { _id: id, kid } = document;
    try {
      const der = sealer.open(document.sealed_private_key, label(document));
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      return { id, kid, privateKey, publicKey: createPublicKey(privateKey) };
    } catch (error) {
      logger.error({ err: error, key: id }, 'a signing key is not used: KEY_SEALING_SECRET does not open it');
      return null;
    }
  }
  async function findKeys(): Promise<{ opened: OpenedKey[]; unopened: unknown[]; nextId: number }> {
    const found = await keys.find().sort({ _id: 1 }).toArray();
    const opened = found.flatMap((document) => openKey(document) ?? []);
    const ids = found.map(({ _id }) => _id as unknown);
    const unopened = ids.filter((id) => !opened.some((key) => key.id === id));
    const nextId = Math.max(0, ...ids.filter((id) => Number.isSafeInteger(id)).map(Number)) + 1;
    return { opened, unopened, nextId };
  }
  async function insertKey(id: number, now: Date): Promise<void> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const facts = { _id: id, kid: randomUUID(), created_at: now };
    await keys.insertOne({ ...facts, sealed_private_key: sealer.seal(toDer(privateKey), label(facts)) });
  }
  /** Seals keys again that were sealed with an earlier secret, so that the earlier secret can be removed. */
  async function resealOutdated(): Promise<void> {
    for (const document of await keys.find().toArray()) {
      const key = openKey(document);
      if (!key || sealer.isCurrent(document.sealed_private_key)) continue;
      const box = sealer.seal(toDer(key.privateKey), label(document));
      await keys.updateOne({ _id: key.id }, { $set: { sealed_private_key: box } });
    }
  }
  return {
    /**
     * Returns the public keys from all documents that the secrets can open, and the ids of the documents that they can't open.
     */
    findTrustedKeys: async (): Promise<{ trusted: PublicKeys; unopened: unknown[] }> => {
      const { opened, unopened } = await findKeys();
      return { trusted: publicKeysOf(opened), unopened };
    },
    /** Returns the keys that the secrets can open. If there are none, creates and stores a new key. */
    getSigningKeys: async (now: Date): Promise<SigningKeys> => {
      const found = await findKeys();
      if (found.opened.length === 0)
        await insertKey(found.nextId, now).catch((error: unknown) => {
          if (!isDuplicate(error)) throw error; // another instance inserted a key first; the code below reads that key
        });
      await resealOutdated();
      const { opened } = await findKeys();
      const signer = opened.at(-1);
      if (!signer) throw new Error('KEY_SEALING_SECRET opens no signing key');
      return { signer, publicKeys: opened.map((key) => toJwk(key, purpose)), trusted: publicKeysOf(opened) };
    },
  };
}

const toDer = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'pkcs8' });
const publicKeysOf = (keys: readonly OpenedKey[]): PublicKeys =>
  new Map(keys.map(({ kid, publicKey }) => [kid, publicKey]));
const toJwk = ({ kid, publicKey }: OpenedKey, purpose: KeyPurpose): PublishedKey => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'ES256',
  purpose,
});
