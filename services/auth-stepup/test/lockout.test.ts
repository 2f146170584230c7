import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import { startAuthStepupHarness } from './support/harness.ts';
import type { AuthStepupHarness } from './support/harness.ts';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { createPin, pinState, stepUp, wrongPin } from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
});
afterAll(() => auth.close());

async function withPin(): Promise<TestUser> {
  const person = await auth.customer();
  await createPin(auth, person);
  return person;
}
const wrong = (at: AuthStepupHarness, who: TestUser) => stepUp(at, who, { transaction_password: wrongPin });
async function hashes(at: AuthStepupHarness): Promise<number> {
  const text = await (await fetch(`${at.url}/metrics`)).text();
  return Number(/^comanda_hashes_total\{[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
const countOf = (codes: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));

describe('guesses side by side', () => {
  test('when 500 wrong PINs come at once, then three are hashed, two are 403 and the rest 429', async () => {
    const ana = await withPin();
    const before = await hashes(auth);
    const answers = await Promise.all(Array.from({ length: 500 }, () => wrong(auth, ana)));
    const counts = countOf(answers.map(codeOf));
    expect((await hashes(auth)) - before).toBe(3);
    expect(counts['403 transaction_password_invalid']).toBe(2);
    expect((counts['429 transaction_password_blocked'] ?? 0) + (counts['429 transaction_password_busy'] ?? 0)).toBe(
      498,
    );
    const left = answers.flatMap(({ body }) => body.attempts_remaining ?? []);
    expect(new Set(left)).toEqual(new Set([1, 2]));
    expect((await pinState(auth, ana)).status).toBe('blocked');
  });

  test('when they come to two instances, then it is the same', async () => {
    const other = await startAuthStepupHarness({ clock, servers: auth.servers, settings: auth.env });
    try {
      const ana = await withPin();
      const before = (await hashes(auth)) + (await hashes(other));
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_each, index) => wrong(index % 2 ? auth : other, ana)),
      );
      expect((await hashes(auth)) + (await hashes(other)) - before).toBe(3);
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(2);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(198);
    } finally {
      await other.close();
    }
  });

  test('when three right PINs come at once, then all are good and nobody is blocked', async () => {
    const ana = await withPin();
    const answers = await Promise.all([stepUp(auth, ana), stepUp(auth, ana), stepUp(auth, ana)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await pinState(auth, ana)).toMatchObject({ status: 'usable', attempts_remaining: 3 });
  });

  test('when ten right PINs come at once, then three are checked and seven are told to come again', async () => {
    const ana = await withPin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => stepUp(auth, ana)));
    expect(countOf(answers.map(codeOf))).toEqual({ '201': 3, '429 transaction_password_busy': 7 });
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  });

  test('when the queue of hashes is full, then 503, and the place is free again', async () => {
    const small = await startAuthStepupHarness({
      clock,
      servers: auth.servers,
      settings: { ...auth.env, HASH_QUEUE: '1', HASH_WORKERS: '1' },
    });
    try {
      const [ana, bia, caio] = [await withPin(), await withPin(), await withPin()];
      const answers = await Promise.all([ana, ana, bia, bia, caio, caio].map((who) => stepUp(small, who)));
      expect(answers.some(({ status }) => status === 503)).toBe(true);
      const again = [await stepUp(small, ana), await stepUp(small, bia), await stepUp(small, caio)];
      expect(again.map(({ status }) => status)).toEqual([201, 201, 201]);
    } finally {
      await small.close();
    }
  });
});

describe('the two settings', () => {
  test('when a sign-in after a block is demanded, then an older one is refused and a newer one good', async () => {
    const strict = await startAuthStepupHarness({ clock, settings: { PIN_SIGN_IN_AFTER_BLOCK: 'true' } });
    try {
      const ana = await strict.customer();
      await createPin(strict, ana);
      clock.advance({ minutes: 5 });
      for (let times = 0; times < 3; times++) await wrong(strict, ana);
      clock.advance({ minutes: 31 });
      const { body } = await strict.call('POST', '/auth/refresh', { body: { refresh_token: ana.refreshToken } });
      const old = { ...ana, token: body.access_token };
      const refused = await stepUp(strict, old);
      expect([codeOf(refused), refused.headers.get('www-authenticate')]).toEqual([
        '401 reauthentication_required',
        'Bearer error="insufficient_user_authentication", max_age="0"',
      ]);
      expect((await pinState(strict, old)).attempts_remaining).toBe(3);
      expect((await stepUp(strict, await strict.newSession(ana))).status).toBe(201);
    } finally {
      await strict.close();
    }
  });

  test('when a number of failures in a row is set, then past it only a reset helps', async () => {
    const strict = await startAuthStepupHarness({ clock, settings: { PIN_LIFETIME_FAILURES: '4' } });
    try {
      const ana = await strict.customer();
      await createPin(strict, ana);
      for (let times = 0; times < 3; times++) await wrong(strict, ana);
      clock.advance({ minutes: 31 });
      const later = await strict.newSession(ana);
      expect((await pinState(strict, later)).attempts_remaining).toBe(1);
      const last = await wrong(strict, later);
      expect([codeOf(last), last.body.blocked_until]).toEqual(['429 transaction_password_blocked', null]);
      clock.advance({ days: 1 });
      const fresh = await strict.newSession(ana);
      expect(codeOf(await stepUp(strict, fresh))).toBe('429 transaction_password_blocked');
      expect(await pinState(strict, fresh)).toEqual({ status: 'blocked', created_at: expect.any(String) });
    } finally {
      await strict.close();
    }
  });

  test('when a right PIN comes before that, then the row is broken', async () => {
    const strict = await startAuthStepupHarness({ clock, settings: { PIN_LIFETIME_FAILURES: '4' } });
    try {
      const ana = await strict.customer();
      await createPin(strict, ana);
      for (let times = 0; times < 3; times++) await wrong(strict, ana);
      clock.advance({ minutes: 31 });
      const later = await strict.newSession(ana);
      expect((await stepUp(strict, later)).status).toBe(201);
      expect((await pinState(strict, later)).attempts_remaining).toBe(3);
    } finally {
      await strict.close();
    }
  });
});

describe('peppers', () => {
  test('when a new pepper comes first, then the old PIN is still right, and afterwards kept with the new one', async () => {
    const [old, fresh] = ['old:b2xkLXBlcHBlci1vbGQtcGVwcGVy', 'new:bmV3LXBlcHBlci1uZXctcGVwcGVy'];
    const before = await startAuthStepupHarness({ clock, settings: { PIN_PEPPER: old } });
    const ana = await before.customer();
    await createPin(before, ana);
    const stored = async () =>
      (await before.connection.collection('usuarios').findOne({ usuarioID: ana.id }))?.['pin'].pepper_id;
    expect(await stored()).toBe('old');
    const both = await startAuthStepupHarness({
      clock,
      servers: before.servers,
      settings: { ...before.env, PIN_PEPPER: `${fresh},${old}` },
    });
    expect((await wrong(both, ana)).body.attempts_remaining).toBe(2);
    expect(await stored()).toBe('old');
    expect((await stepUp(both, ana)).status).toBe(201);
    expect(await stored()).toBe('new');
    const only = await startAuthStepupHarness({
      clock,
      servers: before.servers,
      settings: { ...before.env, PIN_PEPPER: fresh },
    });
    expect((await stepUp(only, ana)).status).toBe(201);
    await Promise.all([before.close(), both.close(), only.close()]);
  });
});
