import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Called } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { createTabletAttemptStore } from '../src/tablets/tablet-attempt-store.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { managerWithPin } from './support/pins.ts';
import { tabletPin, tabletsOf, wrongTabletPin, type OnTablet } from './support/tablets.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let other: AuthStepupHarness;
let marta: TestUser;
let tablets: ReturnType<typeof tabletsOf>;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  other = await startAuthStepupHarness({ clock, servers: auth.servers, settings: auth.env });
  marta = await managerWithPin(auth);
});
// An earlier test's clock may have ended the last session.
beforeEach(async () => {
  marta = await auth.newSession(marta);
  tablets = tabletsOf(auth, marta);
});
afterAll(() => Promise.all([auth.close(), other.close()]));

const newTablet = async (): Promise<string> => (await tablets.register()).credential;
const tryWrong = (on: OnTablet, instance = auth): Promise<Called> =>
  tablets.signIn({ ...on, pin: wrongTabletPin }, instance);
async function wrongTimes(count: number, on: OnTablet): Promise<Called[]> {
  const responses: Called[] = [];
  while (responses.length < count) responses.push(await tryWrong(on));
  return responses;
}
/** Uses up twenty attempts, waiting after each block. */
async function useUp(on: OnTablet): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await wrongTimes(5, on);
    clock.advance({ minutes: 16 });
  }
}
const hashesOf = async (instance: AuthStepupHarness): Promise<number> => {
  const text = await (await fetch(`${instance.url}/metrics`)).text();
  return Number(/^comanda_hashes_total\{.*hashed="pin".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
};

describe('wrong tablet PINs', () => {
  test('block even the right PIN for 15 minutes after the fifth attempt', async () => {
    const [credential, rui] = [await newTablet(), await tablets.newWaiter()];
    const on = { credential, userId: rui.id };

    const responses = await wrongTimes(5, on);

    expect(responses.map(codeOf)).toEqual([...Array(4).fill('403 tablet_pin_invalid'), '429 tablet_pin_blocked']);
    expect(responses.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, undefined]);
    expect(responses[4]?.body.blocked_until).toBe(new Date(clock() + 15 * 60_000).toISOString());
    clock.advance({ minutes: 14 });
    const blocked = await tablets.signIn(on);
    expect([codeOf(blocked), blocked.headers.get('retry-after')]).toEqual(['429 tablet_pin_blocked', '60']);
    clock.advance({ minutes: 2 });
    expect(codeOf(await tablets.signIn(on))).toBe('200');
    const { body: events } = await auth.as(await auth.newSession(rui))('GET', '/security/events');
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'signed_in_on_tablet',
      'tablet_pin_blocked',
      ...Array(4).fill('tablet_pin_wrong'),
      'tablet_pin_set',
    ]);
  });

  test('block only one user on one tablet', async () => {
    const [one, another] = [await newTablet(), await newTablet()];
    const [rui, ana] = [await tablets.newWaiter(), await tablets.newWaiter('Ana')];
    await wrongTimes(5, { credential: one, userId: rui.id });

    expect(codeOf(await tablets.signIn({ credential: one, userId: rui.id }))).toBe('429 tablet_pin_blocked');
    expect(codeOf(await tablets.signIn({ credential: one, userId: ana.id }))).toBe('200');
    expect(codeOf(await tablets.signIn({ credential: another, userId: rui.id }))).toBe('200');
    expect((await auth.signIn(rui.email)).token).toEqual(expect.any(String));
  });

  test('are hashed only five times if 200 arrive at the same time', async () => {
    const [credential, { id: userId }] = [await newTablet(), await tablets.newWaiter()];
    const before = (await hashesOf(auth)) + (await hashesOf(other));

    const responses = await Promise.all(
      Array.from({ length: 200 }, (_each, index) => tryWrong({ credential, userId }, index % 2 ? auth : other)),
    );

    expect((await hashesOf(auth)) + (await hashesOf(other)) - before).toBe(5);
    const codes = responses.map(codeOf);
    expect(codes.filter((code) => code === '403 tablet_pin_invalid')).toHaveLength(4);
    expect(codes.filter((code) => code === '429 tablet_pin_blocked')).toHaveLength(196);
  });

  test('are counted from zero after a right PIN', async () => {
    const [credential, { id: userId }] = [await newTablet(), await tablets.newWaiter()];
    await wrongTimes(4, { credential, userId });
    expect(codeOf(await tablets.signIn({ credential, userId }))).toBe('200');

    expect((await tryWrong({ credential, userId })).body.attempts_remaining).toBe(4);
  });

  test("block sign-ins after twenty in a row until the user's tablet PIN is changed", async () => {
    const [credential, rui] = [await newTablet(), await tablets.newWaiter()];
    const on = { credential, userId: rui.id };
    await useUp(on);

    clock.advance({ days: 1 });
    const refused = await tablets.signIn(on);
    expect([codeOf(refused), refused.body.blocked_until]).toEqual(['429 tablet_pin_blocked', null]);
    expect(refused.headers.get('retry-after')).toBeNull();
    await tablets.setPin(await auth.newSession(rui), '5170');
    expect(codeOf(await tablets.signIn({ ...on, pin: '5170' }))).toBe('200');
  });

  test('get the same responses as an unknown user id', async () => {
    const [credential, { id }] = [await newTablet(), await tablets.newWaiter()];
    const responsesOf = async (userId: number) =>
      (await wrongTimes(6, { credential, userId })).map(({ status, body }) => [
        status,
        body.code,
        body.attempts_remaining,
        body.blocked_until,
      ]);

    expect(await responsesOf(888_888)).toEqual(await responsesOf(id));
  });
});

test('forty wrong tablet PINs in an hour block the tablet for everyone', async () => {
  const [credential, another] = [await newTablet(), await newTablet()];
  const waiters = await Promise.all(Array.from({ length: 10 }, (_, index) => tablets.newWaiter(`W${index}`)));
  for (const { id: userId } of waiters) await wrongTimes(4, { credential, userId });
  const { id: userId } = await tablets.newWaiter();

  const blocked = await tablets.signIn({ credential, userId });

  expect([codeOf(blocked), blocked.body.blocked_until]).toEqual([
    '429 tablet_pin_blocked',
    new Date(clock() + 3600_000).toISOString(),
  ]);
  expect(codeOf(await tablets.signIn({ credential: another, userId }))).toBe('200');
  clock.advance({ minutes: 61 });
  expect(codeOf(await tablets.signIn({ credential, userId, pin: tabletPin }))).toBe('200');
});

test("an attempt without a result doesn't count", async () => {
  const store = createTabletAttemptStore(auth.redis);
  const attempt = { tabletId: 'no-result', userId: 1, pinId: 'pin' };
  for (let wrong = 0; wrong < 4; wrong++) await store.take(attempt, clock());
  const last = await store.take(attempt, clock());
  if (last.kind !== 'counted') throw new Error('not counted');
  expect((await store.take(attempt, clock())).kind).toBe('blocked');

  await store.release(attempt, last.attemptId);
  await store.release(attempt, last.attemptId);

  expect(await store.take(attempt, clock())).toMatchObject({ kind: 'counted', remaining: 0 });
  expect((await store.take(attempt, clock())).kind).toBe('blocked');
});
