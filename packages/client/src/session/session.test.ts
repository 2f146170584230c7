import { expect, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { createSession } from './session.ts';
import { memoryStorage } from './storage.ts';

/** A session whose tokens are numbered; each renewal waits for `answer`. */
function openSession() {
  const asked: ((number: number) => void)[] = [];
  const pairOf = (number: number) => ({
    access_token: `access ${number}`,
    refresh_token: `refresh ${number}`,
    token_type: 'Bearer' as const,
    expires_in: 900,
    refresh_expires_in: 900,
  });
  const session = createSession({
    storage: memoryStorage(),
    storageKey: 'session',
    lock: (task) => task(),
    refresh: () => new Promise((resolve) => asked.push((number) => resolve(pairOf(number)))),
  });
  session.begin(pairOf(1));
  return { session, asked };
}

test('when a renewal is on its way, then another one begins after it, because what the caller heard of came later', async () => {
  const { session, asked } = openSession();
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
