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
import { rotateKeys } from '../src/keys/rotate-keys.ts';
import { signerAt } from '../src/keys/key-ring.ts';
import { createAuditStore } from '../src/security-log/audit-store.ts';
import { createAuditedWork } from '../src/security-log/audited-work.ts';
import { createAccessTokens } from '../src/sessions/access-token.ts';
import { codeOf } from '@comanda/testing/call';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
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
  const sealer = createSealer(`a:${randomBytes(32).toString('base64')}`);
  const store = createKeyStore(connection, { sealer, logger: silentLogger });
  await prepareCollections(connection, authStepupCollections);
  return { connection, store };
}
const kidsOf = async (store: KeyStore): Promise<string[]> => (await store.findAll()).map(({ kid }) => kid);
const user = { id: 1, name: 'Ana', role: 'customer', mustChangePassword: false, sessionEpoch: 1 } as const;
const issued = { issuer: 'comanda', audience: 'comanda' };
const newKeeper = () => createKeyKeeper({ everyMs, logger: silentLogger, clock });
const newSession = () => ({
  id: 'session',
  authTime: clock(),
  endsAt: Infinity,
  guest: false,
  seat: null,
  tablet: null,
});

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
});

describe('keys for signing receipts', () => {
  test('stay in the key set after the transfers service has stopped', async () => {
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

  test("doesn't start before another instance's lease has expired", async () => {
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

  test("doesn't invalidate valid tokens, even under load", async () => {
    const { store } = await newKeyRing('load');
    // Two instances sign tokens. The verifier uses the second instance's keys. Both instances refresh their keys as rarely as
    // allowed.
    const [first, second] = [newKeeper(), newKeeper()];
    const verifier = createTokenVerifier({ ...issued, findKey: second.verifier, logger: silentLogger, clock });
    const issuers = [first, second].map((keys) => createAccessTokens({ ...issued, keys, clock }));
    const session = newSession();
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

  test('makes tokens from a retired key invalid in the end', async () => {
    const { store } = await newKeyRing('retired');
    const keeper = newKeeper();
    const verifier = createTokenVerifier({ ...issued, findKey: keeper.verifier, logger: silentLogger, clock });
    try {
      await keeper.refresh(store);
      const old = keeper.signer();
      const issuer = createAccessTokens({ ...issued, keys: { signer: () => old }, clock });
      const sign = () => issuer.issue(user, newSession()).token;
      await verifier.verify(sign());
      await rotateKeys({ store, clock });
      clock.advance({ minutes: 10 });
      await keeper.refresh(store);
      await verifier.verify(sign());
      clock.advance({ minutes: 16 });
      await keeper.refresh(store);
      // A verifier refreshes its key set at least every 300 s.
      const refusalOf = (token: string) =>
        verifier.verify(token).then(
          () => null,
          (error: Error) => error,
        );
      const refused = await until(() => refusalOf(sign()), { what: 'the retired key to be refused' });
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
    // One of these two services is always busy. The other is idle until the end of the test.
    const [busy, idle] = [0, 1].map(() =>
      createTokenVerifier({
        ...issued,
        logger: silentLogger,
        clock,
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
