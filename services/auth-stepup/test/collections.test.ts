import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection, type Connection } from 'mongoose';
import { prepareCollections } from '@comanda/shared/mongo/collections';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { authStepupCollections } from '../src/collections.ts';

let connection: Connection;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('auth-collections');
  connection = await createConnection(mongodbUri, { dbName: database }).asPromise();
  await prepareCollections(connection, authStepupCollections);
});
afterAll(() => connection.close());

const time = new Date(0);
const pin = { id: 'i', hash: 'h', pepper_id: 'p', created_at: time, blocked_until: null, blocked_at: null };
const counts = { failures: 0, wrong: 0, guesses: 0 };
const user = {
  usuarioID: 1,
  nome: 'Ana',
  email: 'ana@example.test',
  senhaHash: 'h',
  wrong_passwords: 0,
  papel: 'customer',
  status: 'active',
  must_change_password: false,
  password_set_by_other: null,
  session_epoch: 1,
  created_at: time,
  pin_version: 0,
  pin: null,
  pin_reset: null,
  manager_lock: null,
  outbox: [],
};
const lastUse = { at: time, address: '::1', user_agent: '' };
const tokens = { current: 'c', previous: null };
const ends = { expires_at: time, ends_at: time };
const session = { user_id: 1, epoch: 1, auth_time: time, seat: null, ...tokens, ...ends, last_use: lastUse };
const table = { token_nonce: 'n', token_key_id: 'k', rotated_at: time, seating: null, seating_opened_by: null };
const seated = {
  seated_at: time,
  needs_cleaning: false,
  admits: [{ seating: 1, token_nonce: 'n' }],
  version: 2,
  outbox: [],
};
const guest = { name: 'Bia', session_epoch: 1, created_at: time, session_ends_at: new Date() };
const approval = { user_id: 1, expires_at: time, created_at: new Date() };
const event = { user_id: 1, type: 'signed_in', time: new Date(), address: '::1', user_agent: '' };
const entry = {
  type: 'user_created',
  time: new Date(),
  actor_id: null,
  actor_role: 'operator',
  user_id: null,
  details: {},
  address: 'console',
};
const key = { sequence: 1, created_at: time, signs_from: time, sealed_private_key: 's' };

test.each([
  ['usuarios', { ...user, pin: { ...pin, ...counts } }, { ...user, papel: 'chef' }],
  ['usuarios', { ...user, usuarioID: 2, email: 'b' }, { ...user, nome: 'n'.repeat(256) }],
  ['usuarios', { ...user, usuarioID: 3, email: 'c' }, { ...user, pin }],
  ['sessions', { ...session, _id: 's', expires_at: new Date() }, { ...session, current: null }],
  [
    'tables',
    { ...table, ...seated, _id: '12', seating: 1, seating_opened_by: 'staff' },
    { ...table, seating_opened_by: 'cook' },
  ],
  ['guests', { ...guest, _id: 1 }, { ...guest, name: 1 }],
  [
    'setup',
    { _id: 'first_manager', code_hash: 'h', expires_at: time },
    { _id: 'another', code_hash: 'h', expires_at: time },
  ],
  ['pin_reset_approvals', { ...approval, jti: 'j' }, { ...approval, jti: null }],
  ['security_events', event, { ...event, user_agent: 'u'.repeat(256) }],
  ['audit', { ...entry, _id: 1 }, { ...entry, type: 'nonsense' }],
  [
    'stops',
    { _id: 'stops', transfers: { since: time, by: 1, reason: null }, sign_ups: null, version: 2, outbox: [] },
    { _id: 'stops', transfers: { since: time, reason: null }, sign_ups: null, version: 2 },
  ],
  ['keys', { ...key, _id: 'k' }, { ...key, sealed_private_key: 1 }],
  ['leases', { _id: 'key-rotation', holder: 'h', until: time }, { _id: 'other', holder: 'h', until: time }],
  ['counters', { _id: 'audit', value: 1 }, { _id: 'seating', value: null }],
])('the collection %s accepts %j and rejects %j', async (name, good, broken) => {
  const collection = connection.collection(name);
  await expect(collection.insertOne(good as never)).resolves.toMatchObject({ acknowledged: true });
  await expect(collection.insertOne(broken as never)).rejects.toMatchObject({ code: 121 });
});
