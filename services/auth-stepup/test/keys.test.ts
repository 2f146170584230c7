import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import jwt from 'jsonwebtoken';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { startServiceProcess } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { createKeyKeeper } from '../src/keys/key-keeper.ts';
import { createKeyStore, prepareKeys } from '../src/keys/key-store.ts';
import { maintainKeys } from '../src/keys/maintain-keys.ts';
import { rotateKeys } from '../src/keys/rotate-keys.ts';
import { signerAt } from '../src/keys/key-ring.ts';
import { createAccessTokens } from '../src/sessions/access-token.ts';
import { databaseText, startAuthStepupHarness } from './support/harness.ts';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { AuthStepupHarness } from './support/harness.ts';

const clock = createTestClock();
const minuteMs = 60_000;
const everyMs = 24 * 60 * minuteMs;
let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
});
afterAll(() => auth.close());

/** Keys in a database of their own. */
async function newKeyRing(name: string) {
  const connection = auth.connection.useDb(`${auth.servers.database}_${name}`);
  const secret = randomBytes(32).toString('base64');
  const storeWith = (sealedWith: string) =>
    createKeyStore(connection, { sealer: createSealer(sealedWith), logger: silentLogger });
  const store = storeWith(secret);
  await prepareKeys(connection);
  return { connection, store, storeWith };
}
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
  test('when anyone asks for it, then it may be cached for 300 s and contains the key that signs', async () => {
    const { token } = await auth.customer();

    const { status, headers, body } = await auth.call('GET', '/.well-known/jwks.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(body.keys).toHaveLength(1);
    expect(Object.keys(body.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(jwt.decode(token, { complete: true })?.header.kid).toBe(body.keys[0].kid);
  });

  test('when the database is searched, then it contains no private key', async () => {
    const [key] = await auth.keys.findAll();
    const { d } = key?.privateKey?.export({ format: 'jwk' }) ?? {};
    expect(d).toEqual(expect.any(String));
    const pem = key?.privateKey?.export({ format: 'der', type: 'pkcs8' }).toString('base64') ?? '';
    const text = await databaseText(auth.connection);
    expect(text).not.toContain(d);
    expect(text).not.toContain(pem);
  });
});

describe('the keys of receipts', () => {
  test('when transfers runs, then its keys are in the set, marked, and stay there after it has stopped', async () => {
    const { PORT: _port, ...env } = auth.env;
    const transfers = await startServiceProcess('transfers', {
      ...env,
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
      await until(async () => (await purposes()).length === 2, { what: 'the keys of receipts' });
      expect(await purposes()).toEqual([undefined, 'receipts']);

      await transfers.end('SIGTERM');

      expect(await purposes()).toEqual([undefined, 'receipts']);
    } finally {
      await transfers.end('SIGKILL');
      await other.close();
    }
  });
});

describe('rotation', () => {
  test('when a key is due on five instances at once, then one key is added', async () => {
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

  test('when one instance holds the lease, then another gets it only after its end', async () => {
    const { store } = await newKeyRing('lease');
    const now = clock();
    expect(await store.acquireLease('one', { now, untilMs: now + 1000 })).toBe(true);
    expect(await store.acquireLease('two', { now, untilMs: now + 1000 })).toBe(false);
    expect(await store.acquireLease('one', { now: now + 500, untilMs: now + 1500 })).toBe(true);
    expect(await store.acquireLease('two', { now: now + 1500, untilMs: now + 2500 })).toBe(true);
  });

  test('when keys are rotated, then the next key signs ten minutes later, and a second rotation adds none', async () => {
    const { store } = await newKeyRing('command');
    await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });

    const next = await rotateKeys({ store, clock });

    expect(next?.signsFrom).toBe(clock() + 10 * minuteMs);
    expect(await rotateKeys({ store, clock })).toBeNull();
    expect(signerAt(await store.findAll(), clock())?.kid).not.toBe(next?.kid);
    expect(signerAt(await store.findAll(), clock() + 10 * minuteMs)?.kid).toBe(next?.kid);
  });

  test('when the sealing secret was changed, then the old key still verifies and a new key signs at once', async () => {
    const { store, storeWith } = await newKeyRing('secret');
    const [before] = await maintainKeys({ store }, { now: clock(), everyMs, instance: 'one' });
    const after = await maintainKeys(
      { store: storeWith(randomBytes(32).toString('base64')) },
      {
        now: clock() + 1,
        everyMs,
        instance: 'one',
      },
    );
    expect(after).toHaveLength(2);
    expect(after.map(({ kid }) => kid)).toContain(before?.kid);
    expect(signerAt(after, clock() + 1)?.kid).not.toBe(before?.kid);
  });

  test('when keys are rotated while tokens are issued and verified, then every valid token is accepted and retired keys are deleted', async () => {
    const { store } = await newKeyRing('load');
    const options = { everyMs, logger: silentLogger, clock };
    // Two instances sign. The verifier reads the key set of one of them. All refresh as rarely as they may.
    const [first, second] = [createKeyKeeper(options), createKeyKeeper(options)];
    const issued = { issuer: 'comanda', audience: 'comanda' };
    const verifier = createTokenVerifier({
      ...issued,
      readKeySet: async () => second.keySet(),
      logger: silentLogger,
      clock,
    });
    const issuers = [first, second].map((keys) => createAccessTokens({ ...issued, keys, clock }));
    const session = { id: 'session', authTime: clock(), seat: null };
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
      first.close();
      second.close();
      verifier.close();
    }
  });

  test('when a token is signed with a retired key, then it is refused', async () => {
    const { store } = await newKeyRing('retired');
    const keeper = createKeyKeeper({ everyMs, logger: silentLogger, clock });
    const issued = { issuer: 'comanda', audience: 'comanda' };
    const verifier = createTokenVerifier({
      ...issued,
      readKeySet: async () => keeper.keySet(),
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
          seat: null,
        }).token;
      await verifier.verify(sign());
      await rotateKeys({ store, clock });
      clock.advance({ minutes: 10 });
      await keeper.refresh(store);
      await verifier.verify(sign());
      clock.advance({ minutes: 16 });
      await keeper.refresh(store);
      // A verifier refreshes the key set after at most 300 s.
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
      keeper.close();
      verifier.close();
    }
  });
});
