import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { createCrossTabLock } from './cross-tab-lock.ts';
import { createSession } from './session.ts';
import { memoryStorage } from './storage.ts';

afterEach(() => void jest.useRealTimers());

/**
 * Opens a session whose tokens are numbered. Each renewal waits until the test responds. To simulate tabs on one device, pass
 * the same `storage`.
 */
function openSession(storage = memoryStorage()) {
  const asked: ((number: number) => void)[] = [];
  const pairOf = (number: number) => ({
    access_token: `access ${number}`,
    refresh_token: `refresh ${number}`,
    token_type: 'Bearer' as const,
    expires_in: 900,
    refresh_expires_in: 900,
  });
  const session = createSession({
    storage,
    storageKey: 'session',
    lock: createCrossTabLock('refreshing', storage, null),
    refresh: () => new Promise((resolve) => asked.push((number) => resolve(pairOf(number)))),
  });
  return { session, asked, begin: (number: number) => session.begin(pairOf(number)) };
}

test('a renewal requested during another one starts once that one has ended', async () => {
  const { session, asked, begin } = openSession();
  begin(1);
  const first = session.renew();
  await until(() => asked.length > 0, { what: 'the first renewal' });
  const others = [session.renew(), session.renew()];
  asked[0]?.(2);
  await first;

  await until(() => asked.length > 1, { what: 'the next renewal' });
  asked[1]?.(3);
  await Promise.all(others);
  expect([await session.token(), asked.length]).toEqual(['access 3', 2]);
});

test.each([
  ['while another tab is renewing them', ['sleeper', 'other']],
  ['after another tab has renewed them', ['other', 'sleeper']],
])(
  'a tab that slept while it renewed the tokens and wakes up %s does not overwrite the newer tokens',
  async (_when, responses) => {
    jest.useFakeTimers();
    const storage = memoryStorage();
    const [sleeper, other] = [openSession(storage), openSession(storage)];
    sleeper.begin(1);
    const [rejected, passSeconds] = ['access 1', (s: number) => jest.advanceTimersByTimeAsync(s * 1000)];
    const results = [sleeper.session.token(rejected)];
    await passSeconds(1);
    results.push(other.session.token(rejected));
    await passSeconds(21);
    for (const tab of responses) {
      if (tab === 'sleeper') sleeper.asked[0]?.(2);
      else other.asked[0]?.(3);
      await passSeconds(1);
    }

    expect(await Promise.all(results)).toEqual(['access 3', 'access 3']);
    expect(storage.getItem('session')).toContain('"refresh 3"');
    expect(storage.getItem('refreshing')).toBeNull();
  },
);

test('the only tab uses the tokens from a renewal during which it slept', async () => {
  jest.useFakeTimers();
  const { session, asked, begin } = openSession();
  begin(1);
  const renewed = session.token('access 1');
  await jest.advanceTimersByTimeAsync(600_000);
  asked[0]?.(2);
  await jest.advanceTimersByTimeAsync(1000);

  expect(await renewed).toBe('access 2');
});
