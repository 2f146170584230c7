import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSealer } from '@comanda/shared/crypto/seal';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createSigningKeyStore } from '../src/receipts/signing-key-store.ts';
import { signStatement } from '@comanda/shared/crypto/statement';
import { verifyReceipt } from '../src/audit/verify-receipt.ts';
import { openBooks, type Books } from './support/books.ts';

let books: Books;
let folder: string;
beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('signing-keys');
  books = await openBooks({ uri, database });
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await books.close();
});

const newSecret = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const storeWith = (secrets: string) =>
  createSigningKeyStore(books.connection, { sealer: createSealer(secrets), logger: silentLogger });
const keys = () => books.connection.collection<{ _id: number; kid: string }>('keys');
const kidsOf = ({ publicKeys }: { publicKeys: object[] }): string[] =>
  publicKeys.map((key) => (key as { kid: string }).kid);
async function saveKeySet(publicKeys: object[]): Promise<string> {
  const file = join(folder, `${randomBytes(4).toString('hex')}.json`);
  await writeFile(file, JSON.stringify({ keys: publicKeys }));
  return file;
}
/** Creates a key as an attacker would, with write access to the database but without the sealing secret. */
function forgeKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = { kid: `forged-${randomBytes(4).toString('hex')}`, privateKey };
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: signer.kid, use: 'sig', alg: 'ES256' };
  return { signer, jwk, receipt: signStatement({ amount: '1000000.00' }, 'receipt+jws', signer) };
}

test("an attacker's key in the database is never published", async () => {
  const secret = newSecret('a');
  const store = storeWith(secret);
  const { signer } = await store.getSigningKeys(new Date());
  const forged = forgeKey();
  const sealed = createSealer(newSecret('a')).seal(
    forged.signer.privateKey.export({ format: 'der', type: 'pkcs8' }),
    'any',
  );
  const added = { _id: 77, kid: forged.signer.kid, created_at: new Date(), public_jwk: forged.jwk };
  await keys().insertOne({ ...added, sealed_private_key: sealed } as never);

  const loaded = await store.getSigningKeys(new Date());
  const { trusted, unopened } = await store.findTrustedKeys();

  expect(loaded.signer.kid).toBe(signer.kid);
  expect(kidsOf(loaded)).toEqual([signer.kid]);
  expect([...trusted.keys()]).toEqual([signer.kid]);
  expect(unopened).toEqual([77]);
  const keySet = await saveKeySet(loaded.publicKeys);
  await expect(verifyReceipt(forged.receipt, keySet)).rejects.toThrow('was not signed by a key');
  await keys().deleteMany({});
});

test('a replaced public key has no effect', async () => {
  const store = storeWith(newSecret('a'));
  const { signer, publicKeys } = await store.getSigningKeys(new Date());
  await keys().updateOne({ kid: signer.kid }, { $set: { public_jwk: forgeKey().jwk } as never });

  const loaded = await store.getSigningKeys(new Date());

  expect(loaded.publicKeys).toEqual(publicKeys);
  await keys().deleteMany({});
});

test('receipts can still be verified after the sealing secret is replaced', async () => {
  const [before, after] = [newSecret('2025'), newSecret('2026')];
  const { signer } = await storeWith(before).getSigningKeys(new Date());

  const both = await storeWith(`${after},${before}`).getSigningKeys(new Date());
  const afterwards = await storeWith(after).getSigningKeys(new Date());

  expect([kidsOf(both), kidsOf(afterwards)]).toEqual([[signer.kid], [signer.kid]]);
  await keys().deleteMany({});
});

test.each([
  ['for tokens', { purpose: 'tokens' }],
  ['without a purpose', {}],
  ['for something else', { purpose: 'anything' }],
])('a receipt signed by a key %s is rejected', async (_what, purpose) => {
  const { jwk, receipt } = forgeKey();
  const keySet = await saveKeySet([{ ...jwk, ...purpose }]);
  const ofReceipts = await saveKeySet([{ ...jwk, purpose: 'receipts' }]);

  await expect(verifyReceipt(receipt, keySet)).rejects.toThrow('was not signed by a key');
  expect(await verifyReceipt(receipt, ofReceipts)).toEqual({ amount: '1000000.00' });
});
