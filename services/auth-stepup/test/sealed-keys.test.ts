import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSealer } from '@comanda/shared/crypto/seal';
import { prepareCollections } from '@comanda/shared/mongo/collections';
import { codeOf } from '@comanda/testing/call';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestClock } from '@comanda/testing/test-clock';
import { authStepupCollections } from '../src/collections.ts';
import { createKeyStore, type KeyStore } from '../src/keys/key-store.ts';
import { maintainKeys } from '../src/keys/maintain-keys.ts';
import { createSigningKey } from '../src/keys/signing-key.ts';
import { createAccessTokens } from '../src/sessions/access-token.ts';
import { databaseText, startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';

const clock = createTestClock();
const everyMs = 24 * 60 * 60_000;
let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
});
afterAll(() => auth.close());

const newSecret = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const secretsOf = ({ env }: AuthStepupHarness) => ({
  KEY_SEALING_SECRET: env['KEY_SEALING_SECRET'] ?? '',
  PIN_PEPPER: env['PIN_PEPPER'] ?? '',
});
/** Creates a database of its own for keys. `storeWith` opens it with a sealing secret. */
async function newKeyRing(name: string) {
  const connection = auth.connection.useDb(`${auth.servers.database}_${name}`);
  await prepareCollections(connection, authStepupCollections);
  const storeWith = (secrets: string): KeyStore =>
    createKeyStore(connection, { sealer: createSealer(secrets), logger: silentLogger });
  return { connection, storeWith };
}
const kidsOf = async (store: KeyStore): Promise<string[]> => (await store.findAll()).map(({ kid }) => kid);
/** Returns the kids in the published key set. */
async function publishedKids(at: AuthStepupHarness): Promise<string[]> {
  const { body } = await at.call('GET', '/.well-known/jwks.json');
  return body.keys.map(({ kid }: { kid: string }) => kid);
}

describe('private keys', () => {
  test('are stored encrypted', async () => {
    const [key] = await auth.keys.findAll();
    const { d } = key?.privateKey.export({ format: 'jwk' }) ?? {};
    expect(d).toEqual(expect.any(String));
    const pem = key?.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64') ?? '';
    const text = await databaseText(auth.connection);
    expect(text).not.toContain(d);
    expect(text).not.toContain(pem);
  });
});

describe('an attacker who can write to the database but has no sealing secret', () => {
  type Forged = (own: { sealed: string; jwk: object }, genuine: Record<string, unknown>) => Record<string, unknown>;
  const later = { signs_from: new Date(0), created_at: new Date(0), sequence: 1000 };

  test.each<[string, Forged]>([
    ['with a self-sealed key', ({ sealed, jwk }) => ({ ...later, public_jwk: jwk, sealed_private_key: sealed })],
    ['with a copied private key', ({ jwk }, genuine) => ({ ...genuine, ...later, public_jwk: jwk })],
    [
      'with a purpose',
      ({ sealed, jwk }) => ({ ...later, purpose: 'tokens', public_jwk: jwk, sealed_private_key: sealed }),
    ],
    ['without a private key', ({ jwk }) => ({ ...later, public_jwk: jwk })],
    [
      'with fields of the wrong type',
      () => ({ sequence: '9', signs_from: 'now', created_at: 5, sealed_private_key: {} }),
    ],
    ['without any fields', () => ({})],
  ])("can't publish a key %s", async (_what, forge) => {
    const own = createSigningKey({ now: clock(), signsFrom: 0, sequence: 1000 });
    const sealer = createSealer(newSecret('test')); // the same id as the genuine secret, with different bytes
    const der = own.privateKey.export({ format: 'der', type: 'pkcs8' });
    const jwk = own.publicKey.export({ format: 'jwk' });
    const genuine = (await auth.connection.collection('keys').findOne({ sequence: 1 })) ?? {};
    const label = JSON.stringify(['signing-key', 'tokens', own.kid, 1000, 0, 0]);
    const forged = { ...forge({ sealed: sealer.seal(der, label), jwk }, genuine), _id: own.kid };
    const marta = await auth.manager();
    await auth.connection.collection<{ _id: string }>('keys').insertOne(forged, { bypassDocumentValidation: true });
    const reader = await startAuthStepupHarness({ clock, servers: auth.servers, settings: secretsOf(auth) });
    try {
      const issued = { issuer: 'comanda', audience: 'comanda' };
      const accessTokens = createAccessTokens({ ...issued, keys: { signer: () => own }, clock });
      const { token } = accessTokens.issue(
        { id: marta.id, name: 'Marta', role: 'manager', mustChangePassword: false, sessionEpoch: 1 },
        { id: 'x', authTime: clock(), endsAt: Infinity, guest: false, seat: null, tablet: null },
      );

      for (const instance of [auth, reader]) {
        expect(await publishedKids(instance)).not.toContain(own.kid);
        expect(codeOf(await instance.as({ token })('GET', '/auth/me'))).toBe('401 invalid_token');
        expect((await instance.as(marta)('GET', '/auth/me')).status).toBe(200);
      }
      expect(await auth.connection.collection<{ _id: string }>('keys').countDocuments({ _id: own.kid })).toBe(1);
    } finally {
      await reader.close();
      await auth.connection.collection<{ _id: string }>('keys').deleteOne({ _id: own.kid });
    }
  });

  test.each([
    ['sequence', { $inc: { sequence: 5 } }],
    ['signs_from', { $set: { signs_from: new Date(0) } }],
    ['created_at', { $set: { created_at: new Date(0) } }],
  ])('can only disable a key by changing its %s', async (field, change) => {
    const { connection, storeWith } = await newKeyRing(`changed_${field}`);
    const store = storeWith(newSecret('a'));
    await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });
    await connection.collection('keys').updateOne({}, change);
    expect(await store.findAll()).toEqual([]);
  });
});

describe('sealing secrets', () => {
  test('can be replaced without ending sessions', async () => {
    const [old, next] = [newSecret('2025'), newSecret('2026')];
    const before = await startAuthStepupHarness({ clock, settings: { KEY_SEALING_SECRET: old } });
    const instance = (secrets: string) =>
      startAuthStepupHarness({
        clock,
        servers: before.servers,
        settings: { ...secretsOf(before), KEY_SEALING_SECRET: secrets },
      });
    const marta = await before.manager();
    const { body: table } = await before.as(marta)('PUT', '/tables/7');
    const { body: guest } = await before.call('POST', '/auth/guest', { body: { table_token: table.table_token } });
    const kids = await publishedKids(before); // this instance cannot open keys that were sealed with the next secret
    const both = await instance(`${next},${old}`);
    let refreshed: { access_token: string; refresh_token: string };
    try {
      const { body, status } = await both.call('POST', '/auth/refresh', {
        body: { refresh_token: marta.refreshToken },
      });
      expect(status).toBe(200);
      refreshed = body;
      expect((await both.as(marta)('GET', '/auth/me')).status).toBe(200);
      expect((await both.as(marta)('GET', '/tables')).body[0].table_token).toBe(table.table_token);
      const scan = { body: { table_token: table.table_token } };
      expect((await both.call('POST', '/auth/guest', scan)).status).toBe(200);
      const again = { body: { refresh_token: guest.refresh_token } };
      expect((await both.call('POST', '/auth/refresh', again)).status).toBe(200);
      // The earlier instance adds its own key once it finds keys that it cannot open, so both keys are published.
      expect(await publishedKids(both)).toEqual(expect.arrayContaining(kids));
    } finally {
      await both.close();
      await before.close();
    }
    const after = await instance(next);
    try {
      // The first refresh token and the table's code were created with the old secret.
      expect((await after.as(marta)('GET', '/auth/me')).status).toBe(200);
      const { status } = await after.call('POST', '/auth/refresh', {
        body: { refresh_token: refreshed.refresh_token },
      });
      expect(status).toBe(200);
      const { body: tables } = await after.as(marta)('GET', '/tables');
      expect(tables[0].table_token).not.toBe(table.table_token);
      const scan = { body: { table_token: table.table_token } };
      expect(codeOf(await after.call('POST', '/auth/guest', scan))).toBe('401 table_token_invalid');
      const newScan = { body: { table_token: tables[0].table_token } };
      expect((await after.call('POST', '/auth/guest', newScan)).status).toBe(200);
    } finally {
      await after.close();
    }
  });

  test("prevent instances with different secrets from changing each other's keys", async () => {
    const { connection, storeWith } = await newKeyRing('different');
    const [first, second] = [storeWith(newSecret('a')), storeWith(newSecret('a'))]; // two secrets with the same id
    const maintain = (store: KeyStore, instance: string) =>
      maintainKeys({ store }, { now: clock(), everyMs, instance });
    const [own] = await maintain(first, 'first');
    clock.advance({ minutes: 1 }); // the first instance's lease ends
    const [other] = await maintain(second, 'second');
    expect(other?.kid).not.toBe(own?.kid);

    for (let round = 0; round < 6; round++) {
      clock.advance({ minutes: 17 });
      await maintain(second, 'second');
      await maintain(first, 'first');
    }

    expect([await kidsOf(first), await kidsOf(second)]).toEqual([[own?.kid], [other?.kid]]);
    expect(await connection.collection('keys').countDocuments()).toBe(2);
  });
});
