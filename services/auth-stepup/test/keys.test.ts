import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { untilReady } from '@comanda/testing/until-ready';
import { createTestClock } from '@comanda/testing/test-clock';
import jwt from 'jsonwebtoken';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { until } from '@comanda/testing/until';
import { transfersSettings } from '../../transfers/src/config.ts';
import { startTransfers } from '../../transfers/src/service.ts';
import { createKeyKeeper } from '../src/keys/key-keeper.ts';
import { createKeyStore } from '../src/keys/key-store.ts';
import { maintainKeys, rotateKeys } from '../src/keys/rotate-keys.ts';
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

/** Keys of a house of their own, beside the service's. */
async function ring(name: string) {
  const connection = auth.connection.useDb(`${auth.servers.database}_${name}`);
  const secret = randomBytes(32).toString('base64');
  const storeWith = (sealedWith: string) =>
    createKeyStore(connection, { sealer: createSealer(sealedWith), logger: silentLogger });
  const store = storeWith(secret);
  await store.prepare();
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
  test('when it is asked for, then it is public, may be kept 300 s and verifies what was signed', async () => {
    const { status, headers, body } = await auth.call('GET', '/.well-known/jwks.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(body.keys).toHaveLength(1);
    expect(Object.keys(body.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const { token } = await auth.customer();
    expect(jwt.decode(token, { complete: true })?.header.kid).toBe(body.keys[0].kid);
  });

  test('when the database is read, then no private key is in it', async () => {
    const [key] = await auth.keys.all();
    const { d } = key?.privateKey?.export({ format: 'jwk' }) ?? {};
    expect(d).toEqual(expect.any(String));
    const pem = key?.privateKey?.export({ format: 'der', type: 'pkcs8' }).toString('base64') ?? '';
    const text = await databaseText(auth.connection);
    expect(text).not.toContain(d);
    expect(text).not.toContain(pem);
  });
});

describe('the keys of receipts', () => {
  test('when transfers is there, then its keys stand in the set, marked, and stay when it is gone', async () => {
    const env = { ...auth.env, MONGODB_DATABASE: `${auth.servers.database}_transfers`, AUTH_STEPUP_URL: auth.url };
    const config = loadConfig(transfersSettings, { ...env, JWKS_URL: `${auth.url}/.well-known/jwks.json` });
    const transfers = await startTransfers(config, silentLogger);
    await untilReady(transfers.url);
    const house = await startAuthStepupHarness({ clock, settings: { TRANSFERS_URL: transfers.url } });
    try {
      const purposes = async (): Promise<unknown[]> =>
        (await house.call('GET', '/.well-known/jwks.json')).body.keys.map(
          ({ purpose }: { purpose?: string }) => purpose,
        );
      await until(async () => (await purposes()).length === 2, { what: 'the keys of receipts' });
      expect(await purposes()).toEqual([undefined, 'receipts']);
      await transfers.close();
      expect(await purposes()).toEqual([undefined, 'receipts']);
    } finally {
      await transfers.close();
      await house.close();
    }
  });
});

describe('rotation', () => {
  test('when five instances find that it is due at once, then one key is made', async () => {
    const { store } = await ring('five');
    const now = clock();
    const all = () =>
      Promise.all(
        Array.from({ length: 5 }, (_each, index) =>
          maintainKeys(store, { now: clock(), everyMs, instance: `i${index}` }),
        ),
      );
    await all();
    expect(await store.all()).toHaveLength(1);
    clock.advance({ days: 1 });
    await all();
    expect((await store.all()).map(({ signsFrom }) => signsFrom - now)).toEqual([0, everyMs + 10 * minuteMs]);
  });

  test('when one instance holds the lease, then another waits until it is over', async () => {
    const { store } = await ring('lease');
    const now = clock();
    expect(await store.lease('one', { now, untilMs: now + 1000 })).toBe(true);
    expect(await store.lease('two', { now, untilMs: now + 1000 })).toBe(false);
    expect(await store.lease('one', { now: now + 500, untilMs: now + 1500 })).toBe(true);
    expect(await store.lease('two', { now: now + 1500, untilMs: now + 2500 })).toBe(true);
  });

  test('when the command is given, then the next key signs ten minutes later, and a second command adds none', async () => {
    const { store } = await ring('command');
    await maintainKeys(store, { now: clock(), everyMs, instance: 'one' });
    const next = await rotateKeys(store, clock());
    expect(next?.signsFrom).toBe(clock() + 10 * minuteMs);
    expect(await rotateKeys(store, clock())).toBeNull();
    expect(signerAt(await store.all(), clock())?.kid).not.toBe(next?.kid);
    expect(signerAt(await store.all(), clock() + 10 * minuteMs)?.kid).toBe(next?.kid);
  });

  test('when the sealing secret was changed, then what was signed stays good and a new key signs at once', async () => {
    const { store, storeWith } = await ring('secret');
    const [before] = await maintainKeys(store, { now: clock(), everyMs, instance: 'one' });
    const after = await maintainKeys(storeWith(randomBytes(32).toString('base64')), {
      now: clock() + 1,
      everyMs,
      instance: 'one',
    });
    expect(after).toHaveLength(2);
    expect(after.map(({ kid }) => kid)).toContain(before?.kid);
    expect(signerAt(after, clock() + 1)?.kid).not.toBe(before?.kid);
  });

  test('when keys are rotated while tokens are given and checked, then no valid token is refused and no retired key accepted', async () => {
    const { store } = await ring('load');
    const options = { store, everyMs, logger: silentLogger, clock };
    // Two instances that sign, and a service that only ever asks one of them for the set, each as late as they may.
    const [one, two] = [createKeyKeeper(options), createKeyKeeper(options)];
    const issued = { issuer: 'comanda', audience: 'comanda' };
    const verifier = createTokenVerifier({
      ...issued,
      readKeySet: async () => two.keySet(),
      logger: silentLogger,
      clock,
    });
    const tokens = [one, two].map((keys) => createAccessTokens({ ...issued, keys, clock }));
    const session = { id: 'session', authTime: clock(), seat: null };
    const live: { token: string; until: number }[] = [];
    const signedBy = new Set<string>();
    try {
      await one.refresh();
      await two.refresh();
      const retiredOnes: string[] = [];
      for (let minute = 0; minute < 3 * 24 * 60; minute += 3) {
        await (minute % 2 ? one : two).refresh();
        for (const issuer of tokens) {
          const { token, expiresInS } = issuer.issue(user, session);
          signedBy.add(String(jwt.decode(token, { complete: true })?.header.kid));
          live.push({ token, until: clock() + expiresInS * 1000 });
        }
        while ((live[0]?.until ?? Infinity) <= clock()) live.shift();
        for (const { token } of live) expect((await verifier.verify(token)).userId).toBe(1);
        clock.advance({ ms: 3 * minuteMs - 1000 });
      }
      expect(signedBy.size).toBeGreaterThanOrEqual(3);
      const left = new Set((await store.all()).map(({ kid }) => kid));
      retiredOnes.push(...[...signedBy].filter((kid) => !left.has(kid)));
      expect(retiredOnes.length).toBeGreaterThanOrEqual(1);
    } finally {
      one.close();
      two.close();
      verifier.close();
    }
  });

  test('when somebody signs with a key that is retired, then it is refused', async () => {
    const { store } = await ring('retired');
    const keeper = createKeyKeeper({ store, everyMs, logger: silentLogger, clock });
    const issued = { issuer: 'comanda', audience: 'comanda' };
    const verifier = createTokenVerifier({
      ...issued,
      readKeySet: async () => keeper.keySet(),
      logger: silentLogger,
      clock,
    });
    try {
      await keeper.refresh();
      const old = keeper.signer();
      const sign = () =>
        createAccessTokens({ ...issued, keys: { signer: () => old }, clock }).issue(user, {
          id: 'session',
          authTime: clock(),
          seat: null,
        }).token;
      await verifier.verify(sign());
      await rotateKeys(store, clock());
      clock.advance({ minutes: 10 });
      await keeper.refresh();
      await verifier.verify(sign());
      clock.advance({ minutes: 16 });
      await keeper.refresh();
      // A verifier fetches the set anew at most 300 s after the last time.
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
