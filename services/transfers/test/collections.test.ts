import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose, { createConnection, type Connection } from 'mongoose';
import { prepareCollections } from '@comanda/shared/mongo/collections';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { transfersCollections } from '../src/collections.ts';

let connection: Connection;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('transfers-collections');
  connection = await createConnection(mongodbUri, { dbName: database }).asPromise();
  await prepareCollections(connection, transfersCollections);
});
afterAll(() => connection.close());

const time = new Date(0);
const written = new mongoose.mongo.Timestamp(1n);
const entry = { account: 1, seq: 1, amount: 5n, balance: 5n, prev: 'p', hash: 'h' };
const account = {
  _id: 1,
  name: null,
  owner_id: 7,
  owner_name: 'Ana',
  currency: 'BRL',
  balance: 5n,
  seq: 0,
  hash: 'h',
  created_at: time,
  statement: 's',
  written,
};
const posted = {
  _id: 1,
  status: 'posted',
  kind: 'internal_transfer',
  jti: 'j',
  created_at: time,
  user_id: 7,
  amount: 5n,
  currency: 'BRL',
  description: null,
  entries: [entry, { ...entry, account: 2 }],
  receipt: 'r',
  outbox: [],
};
const head = { account: 1, seq: 1, hash: 'h', written };
const checkpoint = { _id: 1, heads: [head], decisions: [{ id: 'expired j', hash: 'h', written }], jws: 'j' };
const key = { _id: 1, kid: 'k', created_at: time, sealed_private_key: 's' };

test.each([
  ['accounts', account, { ...account, balance: 5 }],
  ['accounts', { ...account, _id: 2 }, { ...account, currency: 'XYZ' }],
  ['accounts', { ...account, _id: 3, name: 'n'.repeat(100) }, { ...account, name: 'n'.repeat(101) }],
  ['transfers', posted, { ...posted, status: 'nonsense' }],
  ['transfers', { ...posted, _id: 2, jti: 'k', entries: [{ ...entry, account: 3 }] }, { ...posted, amount: 5 }],
  [
    'transfers',
    { ...posted, _id: 3, jti: 'l', entries: [{ ...entry, account: 4 }] },
    { ...posted, entries: [{ ...entry, balance: '5' }] },
  ],
  [
    'transfers',
    { _id: 'expired m', status: 'expired', jti: 'm', created_at: time, statement: 's', written },
    { ...posted, jti: null },
  ],
  ['checkpoints', checkpoint, { ...checkpoint, heads: [{ ...head, hash: null }] }],
  ['keys', key, { ...key, sealed_private_key: 1 }],
  ['counters', { _id: 'transfer', value: 1 }, { _id: 'account', value: 'one' }],
])('the collection %s accepts %j and rejects %j', async (name, good, broken) => {
  const collection = connection.collection(name);
  await expect(collection.insertOne(good as never)).resolves.toMatchObject({ acknowledged: true });
  await expect(collection.insertOne({ ...broken, _id: 99 } as never)).rejects.toMatchObject({ code: 121 });
});
