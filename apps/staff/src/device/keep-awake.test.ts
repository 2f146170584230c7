import { afterEach, expect, test } from '@jest/globals';
import { createAwake } from './keep-awake.ts';

const names = ['navigator', 'document'] as const;
const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
afterEach(() => {
  for (const [name, own] of before) {
    Reflect.deleteProperty(globalThis, name);
    if (own) Object.defineProperty(globalThis, name, own);
  }
});

/** Opens a browser that grants a wake lock, and releases it when the test says so. */
function openBrowser(more: object = {}) {
  const locks: EventTarget[] = [];
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const browser = { isRefusing: false };
  const request = async () => {
    if (browser.isRefusing) throw new DOMException('low battery', 'NotAllowedError');
    const lock = Object.assign(new EventTarget(), { released: false });
    locks.push(lock);
    return lock;
  };
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { wakeLock: { request }, ...more } });
  Object.defineProperty(globalThis, 'document', { configurable: true, value: page });
  const turn = async (): Promise<void> => void (await new Promise(setImmediate));
  return {
    browser,
    count: () => locks.length,
    show: async (visibilityState: 'visible' | 'hidden'): Promise<void> => {
      page.visibilityState = visibilityState;
      // When a page is hidden, browsers release its wake lock first.
      if (visibilityState === 'hidden') locks.at(-1)?.dispatchEvent(new Event('release'));
      page.dispatchEvent(new Event('visibilitychange'));
      await turn();
    },
    release: async (): Promise<void> => {
      locks.at(-1)?.dispatchEvent(new Event('release'));
      await turn();
    },
  };
}

test('a wake lock that the browser releases while the page is visible is requested again', async () => {
  const { count, release } = openBrowser();
  const awake = createAwake();
  await awake.keep();
  const kept = awake.state.value;
  await release();

  expect([kept, count(), awake.state.value]).toEqual(['kept', 2, 'kept']);
});

test('a hidden page requests no wake lock until it is visible again', async () => {
  const { count, show } = openBrowser();
  const awake = createAwake();
  await awake.keep();
  await show('hidden');
  const hidden = [count(), awake.state.value];
  await show('visible');

  expect(hidden).toEqual([1, 'unknown']);
  expect([count(), awake.state.value]).toEqual([2, 'kept']);
});

test('a rejected wake lock is shown, and requested again after a later touch', async () => {
  const { browser } = openBrowser();
  browser.isRefusing = true;
  const awake = createAwake();
  await awake.keep();
  const refused = awake.state.value;
  browser.isRefusing = false;
  await awake.keep();

  expect([refused, awake.state.value]).toEqual(['impossible', 'kept']);
});

test('a Home Screen app before iOS 18.4 is not trusted, because it grants wake locks but still sleeps', async () => {
  const { count } = openBrowser({ standalone: true });
  const awake = createAwake();
  await awake.keep();

  expect([count(), awake.state.value]).toEqual([0, 'impossible']);
});
