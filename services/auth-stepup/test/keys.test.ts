import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import jwt from 'jsonwebtoken';
import type { Connection } from 'mongoose';
import { prepareCollections } from '@comanda/shared/mongo/collections';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { startServiceProcess } from '@comanda/testing/service-process';
import { testService, testServiceSettings } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { createKeyKeeper } from '../src/keys/key-keeper.ts';
import { authStepupCollections } from '../src/collections.ts';
import { createKeyStore, type KeyStore } from '../src/keys/key-store.ts';
import { maintainKeys } from '../src/keys/maintain-keys.ts';
import { revokeKey } from '../src/keys/revoke-key.ts';
import { createSigningKey } from '../src/keys/signing-key.ts';
import { rotateKeys } from '../src/keys/rotate-keys.ts';
import { signerAt } from '../src/keys/key-ring.ts';
import { createAuditStore } from '../src/security-log/audit-store.ts';
import { createAuditedWork } from '../src/security-log/audited-work.ts';
import { createAccessTokens } from '../src/sessions/access-token.ts';
import { codeOf } from '@comanda/testing/call';
import { databaseText, startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { consume, storePin, tokenFor } from './support/pins.ts';
import { silentLogger } from '@comanda/testing/silent-logger';

const clock = createTestClock();
const minuteMs = 60_000;
const everyMs = 24 * 60 * minuteMs;
let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
});
afterAll(() => auth.close());

/** Creates a key store in its own database. */
async function newKeyRing(name: string) {
  const connection = auth.connection.useDb(`${auth.servers.database}_${name}`);
  const secret = newSecret('a');
  const storeWith = (secrets: string) =>
    createKeyStore(connection, { sealer: createSealer(secrets), logger: silentLogger });
  const store = storeWith(secret);
  await prepareCollections(connection, authStepupCollections);
  return { connection, secret, store, storeWith };
}
const newSecret = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const kidsOf = async (store: KeyStore): Promise<string[]> => (await store.findAll()).map(({ kid }) => kid);
const user = {
  id: 1,
  name: 'Ana',
  email: null,
  passwordHash: null,
  role: 'customer',
  status: 'active',
  mustChangePassword: false,
  passwordSetByOtherAt: null,
  sessionEpoch: 1,
  createdAt: 0,
  pinVersion: 0,
} as const;

describe('the key set', () => {
  test('contains the current signing key', async () => {
    const { token } = await auth.customer();

    const { status, headers, body } = await auth.call('GET', '/.well-known/jwks.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const members = ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'];
    expect(body.keys.map((key: object) => Object.keys(key).toSorted())).toEqual([
      members,
      [...members, 'purpose'].toSorted(),
    ]);
    const { header, payload } = jwt.decode(token, { complete: true }) as jwt.Jwt;
    expect(header.kid).toBe(body.keys[0].kid);
    expect(payload).toMatchObject({ client_id: 'comanda' }); // RFC 9068 requires this claim
  });

  test('stores only encrypted private keys', async () => {
    const [key] = await auth.keys.findAll();
    const { d } = key?.privateKey.export({ format: 'jwk' }) ?? {};
    expect(d).toEqual(expect.any(String));
    const pem = key?.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64') ?? '';
    const text = await databaseText(auth.connection);
    expect(text).not.toContain(d);
    expect(text).not.toContain(pem);
  });
});

describe('keys for receipts', () => {
  test('stay in the key set after transfers has stopped', async () => {
    const { PORT: _port, ...env } = auth.env;
    const transfers = await startServiceProcess('transfers', {
      ...env,
      ...testServiceSettings('transfers'),
      MONGODB_DATABASE: `${auth.servers.database}_transfers`,
      AUTH_STEPUP_URL: auth.url,
      JWKS_URL: `${auth.url}/.well-known/jwks.json`,
    });
    await transfers.ready();
    const other = await startAuthStepupHarness({ clock, settings: { TRANSFERS_URL: transfers.url } });
    const purposes = async (): Promise<unknown[]> => {
      const { body } = await other.call('GET', '/.well-known/jwks.json');
      return body.keys.map(({ purpose }: { purpose?: string }) => purpose);
    };
    try {
      await until(async () => (await purposes()).length === 3, { what: 'the keys of receipts' });
      expect(await purposes()).toEqual([undefined, 'consents', 'receipts']);

      await transfers.end('SIGTERM');

      expect(await purposes()).toEqual([undefined, 'consents', 'receipts']);
    } finally {
      await transfers.end('SIGKILL');
      await other.close();
    }
  });
});

describe('key rotation', () => {
  test('adds only one key, even if five instances try at the same time', async () => {
    const { store } = await newKeyRing('five');
    const now = clock();
    const maintainOnAll = () =>
      Promise.all(
        Array.from({ length: 5 }, (_each, index) =>
          maintainKeys({ store }, { now: clock(), everyMs, instance: `i${index}` }),
        ),
      );
    await maintainOnAll();
    expect(await store.findAll()).toHaveLength(1);

    clock.advance({ days: 1 });
    await maintainOnAll();

    expect((await store.findAll()).map(({ signsFrom }) => signsFrom - now)).toEqual([0, everyMs + 10 * minuteMs]);
  });

  test("waits until another instance's lease has expired", async () => {
    const { store } = await newKeyRing('lease');
    const now = clock();
    expect(await store.acquireLease('one', { now, untilMs: now + 1000 })).toBe(true);
    expect(await store.acquireLease('two', { now, untilMs: now + 1000 })).toBe(false);
    expect(await store.acquireLease('one', { now: now + 500, untilMs: now + 1500 })).toBe(true);
    expect(await store.acquireLease('two', { now: now + 1500, untilMs: now + 2500 })).toBe(true);
  });

  test('lets the next key sign after ten minutes', async () => {
    const { store } = await newKeyRing('command');
    await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });

    const next = await rotateKeys({ store, clock });

    expect(next?.signsFrom).toBe(clock() + 10 * minuteMs);
    expect(await rotateKeys({ store, clock })).toBeNull();
    expect(signerAt(await store.findAll(), clock())?.kid).not.toBe(next?.kid);
    expect(signerAt(await store.findAll(), clock() + 10 * minuteMs)?.kid).toBe(next?.kid);
  });

  test('keeps every valid token valid, even under load', async () => {
    const { store } = await newKeyRing('load');
    const options = { everyMs, logger: silentLogger, clock };
    // Two instances sign tokens. The verifier uses the second instance's keys. Both instances refresh their keys as rarely as
    // allowed.
    const [first, second] = [createKeyKeeper(options), createKeyKeeper(options)];
    const issued = { issuer: 'comanda', audience: 'comanda' };
    const verifier = createTokenVerifier({
      ...issued,
      findKey: second.verifier,
      logger: silentLogger,
      clock,
    });
    const issuers = [first, second].map((keys) => createAccessTokens({ ...issued, keys, clock }));
    const session = { id: 'session', authTime: clock(), endsAt: Infinity, guest: false, seat: null, tablet: null };
    const validTokens: { token: string; until: number }[] = [];
    const signedBy = new Set<string>();
    try {
      await first.refresh(store);
      await second.refresh(store);
      for (let minute = 0; minute < 3 * 24 * 60; minute += 3) {
        await (minute % 2 ? first : second).refresh(store);
        for (const issuer of issuers) {
          const { token, expiresInS } = issuer.issue(user, session);
          signedBy.add(String(jwt.decode(token, { complete: true })?.header.kid));
          validTokens.push({ token, until: clock() + expiresInS * 1000 });
        }
        while ((validTokens[0]?.until ?? Infinity) <= clock()) validTokens.shift();
        for (const { token } of validTokens) expect((await verifier.verify(token)).userId).toBe(1);
        clock.advance({ ms: 3 * minuteMs - 1000 });
      }
      expect(signedBy.size).toBeGreaterThanOrEqual(3);
      const storedKids = new Set((await store.findAll()).map(({ kid }) => kid));
      expect([...signedBy].filter((kid) => !storedKids.has(kid)).length).toBeGreaterThanOrEqual(1);
    } finally {
      await first.close();
      await second.close();
      verifier.close();
    }
  });

  test('eventually rejects tokens from a retired key', async () => {
    const { store } = await newKeyRing('retired');
    const keeper = createKeyKeeper({ everyMs, logger: silentLogger, clock });
    const issued = { issuer: 'comanda', audience: 'comanda' };
    const verifier = createTokenVerifier({
      ...issued,
      findKey: keeper.verifier,
      logger: silentLogger,
      clock,
    });
    try {
      await keeper.refresh(store);
      const old = keeper.signer();
      const sign = () =>
        createAccessTokens({ ...issued, keys: { signer: () => old }, clock }).issue(user, {
          id: 'session',
          authTime: clock(),
          endsAt: Infinity,
          guest: false,
          seat: null,
          tablet: null,
        }).token;
      await verifier.verify(sign());
      await rotateKeys({ store, clock });
      clock.advance({ minutes: 10 });
      await keeper.refresh(store);
      await verifier.verify(sign());
      clock.advance({ minutes: 16 });
      await keeper.refresh(store);
      // A verifier refreshes its key set at least every 300 s.
      const refused = await until(
        async () =>
          verifier.verify(sign()).then(
            () => null,
            (error: Error) => error,
          ),
        { what: 'the retired key to be refused' },
      );
      expect(refused.message).toMatch(/unknown key/);
      expect(keeper.verifier(old.kid)).toBeUndefined();
    } finally {
      await keeper.close();
      verifier.close();
    }
  });
});

/** Returns the kids in the published key set. */
async function publishedKids(at: AuthStepupHarness): Promise<string[]> {
  const { body } = await at.call('GET', '/.well-known/jwks.json');
  return body.keys.map(({ kid }: { kid: string }) => kid);
}

async function revoke({ connection, keys }: { connection: Connection; keys: KeyStore }, kid: string) {
  const transactions = createTransactions({ connection, isUp: () => true, logger: silentLogger });
  try {
    const unitOfWork = createAuditedWork({ transactions, audit: createAuditStore(connection), outboxes: {} });
    return await revokeKey({ store: keys, unitOfWork, clock }, kid);
  } finally {
    await transactions.close();
  }
}

describe('key revocation', () => {
  test("invalidates the key's tokens within 5 minutes", async () => {
    const revoking = await startAuthStepupHarness({ clock });
    const issued = { issuer: 'comanda', audience: 'comanda', logger: silentLogger, clock };
    // One of these two services is always busy. The other is idle until the end of the test.
    const [busy, idle] = [0, 1].map(() =>
      createTokenVerifier({
        ...issued,
        service: testService('orders'),
        jwksUrl: `${revoking.url}/.well-known/jwks.json`,
      }),
    );
    if (!busy || !idle) throw new Error('no verifiers');
    try {
      const ana = await revoking.customer();
      const kid = String(jwt.decode(ana.token, { complete: true })?.header.kid);
      await busy.verify(ana.token);
      await idle.verify(ana.token);

      const result = await revoke(revoking, kid);

      expect(result).toEqual({ kind: 'revoked', signer: expect.any(String) });
      await until(async () => !(await publishedKids(revoking)).includes(kid), { what: 'the key to leave the set' });
      expect(codeOf(await revoking.as(ana)('GET', '/auth/me'))).toBe('401 invalid_token');
      const { body } = await revoking.call('POST', '/auth/refresh', { body: { refresh_token: ana.refreshToken } });
      expect(jwt.decode(body.access_token, { complete: true })?.header.kid).toBe((result as { signer: string }).signer);
      expect((await revoking.as({ token: body.access_token })('GET', '/auth/me')).status).toBe(200);

      clock.advance({ ms: 10_000 }); // a verifier looks up unknown keys at most every 10 s
      await busy.verify(body.access_token);
      clock.advance({ ms: 300_000 });
      await expect(busy.verify(ana.token)).rejects.toMatchObject({ code: 'invalid_token' });
      await expect(idle.verify(ana.token)).rejects.toMatchObject({ code: 'invalid_token' });
    } finally {
      busy.close();
      idle.close();
      await revoking.close();
    }
  });

  test("invalidates the key's step-up tokens", async () => {
    const revoking = await startAuthStepupHarness({ clock });
    try {
      const ana = await revoking.customer();
      await storePin(revoking, ana);
      const stepUpToken = await tokenFor(revoking, ana);
      const [key] = await revoking.keys.findAll();
      await revoke(revoking, key?.kid ?? '');
      await until(async () => !(await publishedKids(revoking)).includes(key?.kid ?? ''), { what: 'the revocation' });
      const { body } = await revoking.call('POST', '/auth/refresh', { body: { refresh_token: ana.refreshToken } });

      const response = await consume(revoking, { token: body.access_token }, { step_up_token: stepUpToken });
      expect(codeOf(response)).toBe('401 step_up_invalid');
    } finally {
      await revoking.close();
    }
  });

  test('has no effect for an unknown kid', async () => {
    const { connection, store } = await newKeyRing('unknown');
    await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });
    const before = await kidsOf(store);
    expect(await revoke({ connection, keys: store }, 'nobody')).toEqual({ kind: 'unknown' });
    expect(await kidsOf(store)).toEqual(before);
  });

  test('retires the key after 16 minutes, even if an attacker restores its document', async () => {
    const { connection, store } = await newKeyRing('back');
    await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });
    const [kid = ''] = await kidsOf(store);
    const document = await connection.collection('keys').findOne();
    await revoke({ connection, keys: store }, kid);
    await connection.collection('keys').insertOne(document ?? {});

    clock.advance({ minutes: 16 });
    const after = await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });
    expect(after.map((key) => key.kid)).not.toContain(kid);
    expect(after).toHaveLength(1);
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
  ])('cannot publish a key %s', async (_what, forge) => {
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
      const accessTokens = createAccessTokens({
        keys: { signer: () => own },
        issuer: 'comanda',
        audience: 'comanda',
        clock,
      });
      const { token } = accessTokens.issue(
        { ...user, id: marta.id, role: 'manager' },
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
    const { connection, store } = await newKeyRing(`changed_${field}`);
    await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });
    await connection.collection('keys').updateOne({}, change);
    expect(await store.findAll()).toEqual([]);
  });
});

const secretsOf = ({ env }: AuthStepupHarness) => ({
  KEY_SEALING_SECRET: env['KEY_SEALING_SECRET'] ?? '',
  PIN_PEPPER: env['PIN_PEPPER'] ?? '',
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

  test("keep instances with different secrets from changing each other's keys", async () => {
    const { connection, store: first, storeWith } = await newKeyRing('different');
    const second = storeWith(newSecret('a')); // another secret with the same id
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
