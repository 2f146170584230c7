import { CallFailure } from '@comanda/client/core';
import { openDeviceTabs } from '@comanda/testing/device-tabs';
import { until } from '@comanda/testing/until';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { deviceEntry, isObject } from './device-entry.ts';
import { openUnsent, type Earlier } from './unsent.ts';
import { isUnsent, type Unsent } from './unsent-entry.ts';

const stored = deviceEntry('unsent', isUnsent, []);
const opened: { close: () => void }[] = [];
let device: ReturnType<typeof openDeviceTabs>;
beforeEach(() => {
  device = openDeviceTabs();
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  jest.useRealTimers();
  device.close();
});

const unreachable = new CallFailure('nobody', { code: 'unreachable', outcome: 'unknown', retryAfterMs: 600_000 });
const soldOut = new CallFailure('sold out', {
  code: 'menu_item_unavailable',
  outcome: 'none',
  problem: { items: [{ name: 'Feijoada' }] } as never,
});
type Letter = { text: string };
type Reply = { kind: 'made' | 'overtaken' | 'held' } | CallFailure | 'never';

/** Opens a tab that sends letters. `reply` is the server's response to each attempt. */
function openTab(reply: Reply, earlier: readonly Earlier[] = []) {
  const hear = device.newTab();
  const sent: string[] = [];
  const results: string[] = [];
  const list = openUnsent(stored, earlier);
  const letters = list.open<Letter, { kind: 'made' | 'overtaken' | 'held' }>('letter', {
    send: ({ key }, { signal, change }) => {
      sent.push(key);
      change({ text: `${key}, tried` });
      if (reply instanceof CallFailure) return Promise.reject(reply);
      if (reply !== 'never') return Promise.resolve(reply);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    onResult: ({ key }, { kind }) => results.push(`${key} ${kind}`),
  });
  opened.push(letters, list);
  return {
    ...letters,
    hear,
    sent,
    results,
    seen: () => letters.entries.value.map(({ key, state }) => `${key} ${state}`),
    close: () => {
      letters.close();
      list.close();
    },
  };
}
const settled = (): Promise<unknown> => new Promise(setImmediate);

describe('unsent work', () => {
  test('leaves the device once the server has accepted it', async () => {
    const tab = openTab({ kind: 'made' });
    tab.add('a', { text: 'hello' });
    const atOnce = [tab.seen(), stored.get()];
    await until(() => tab.results.length > 0, { what: 'the result' });
    await settled();

    expect(atOnce).toMatchObject([['a sending'], [{ key: 'a', kind: 'letter', input: { text: 'a, tried' } }]]);
    expect([tab.seen(), tab.results, device.stored.size]).toEqual([[], ['a made'], 0]);
  });

  test('is late once an attempt has failed, and keeps its attempts and changed input after a reload', async () => {
    const tab = openTab(unreachable);
    tab.add('a', { text: 'hello' });
    await until(() => tab.seen()[0] === 'a late', { what: 'the failed attempt' });
    tab.close();

    const reloaded = openTab('never');
    await settled();

    expect(reloaded.entries.value).toMatchObject([
      { key: 'a', state: 'late', attempts: 2, input: { text: 'a, tried' } },
    ]);
    expect(reloaded.sent).toEqual(['a']);
  });

  test('is shown with the reason after a reload if the server has rejected it, and is not sent again', async () => {
    const tab = openTab(soldOut);
    tab.add('a', { text: 'hello' });
    await until(() => tab.results.length > 0, { what: 'the rejection' });
    tab.close();

    const reloaded = openTab({ kind: 'made' });
    await settled();
    const [entry] = reloaded.entries.value;
    reloaded.remove('a');

    expect([tab.results, reloaded.sent, entry?.state]).toEqual([['a refused'], [], 'refused']);
    expect(entry?.failure?.is('menu_item_unavailable') && entry.failure.problem.items[0]?.name).toBe('Feijoada');
    expect([reloaded.seen(), device.stored.size]).toEqual([[], 0]);
  });

  test.each(['held', 'overtaken'] as const)('is reported when the result is %s', async (kind) => {
    const tab = openTab({ kind });
    tab.add('a', { text: 'hello' });
    await until(() => tab.results.length > 0, { what: 'the result' });
    await settled();

    expect([tab.results, tab.seen()]).toEqual([[`a ${kind}`], kind === 'held' ? ['a held'] : []]);
  });

  test('is sent again with the same key after it was held', async () => {
    const tab = openTab('never');
    tab.add('a', { text: 'hello' });
    tab.hold('a', { text: 'stopped' });
    await settled();
    const held = [tab.seen(), tab.entries.value[0]?.input.text];
    tab.add('a', { text: 'again' });
    await settled();

    expect(held).toEqual([['a held'], 'stopped']);
    expect([tab.seen(), tab.sent]).toEqual([['a sending'], ['a', 'a']]);
  });

  test('is sent even if the device cannot store it', async () => {
    jest.spyOn(globalThis.localStorage, 'setItem').mockImplementation(() => {
      throw new Error('The storage is full.');
    });
    const tab = openTab({ kind: 'made' });
    tab.add('a', { text: 'hello' });
    const shown = tab.seen();
    await until(() => tab.results.length > 0, { what: 'the result' });

    expect([shown, tab.sent]).toEqual([['a sending'], ['a']]);
  });
});

describe('two tabs with unsent work', () => {
  test('both show an entry, and only the tab that added it sends it', async () => {
    const other = openTab({ kind: 'made' });
    const tab = openTab('never');
    tab.add('a', { text: 'hello' });
    await settled();
    other.hear();
    await settled();

    expect([tab.seen(), other.seen()]).toEqual([['a sending'], ['a sending']]);
    expect([tab.sent, other.sent]).toEqual([['a'], []]);
  });

  test('take over an entry once the tab that added it has been silent for 5 s', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] });
    const other = openTab({ kind: 'made' });
    const tab = openTab('never');
    tab.add('a', { text: 'hello' });
    await settled();
    tab.close();
    other.hear();
    jest.advanceTimersByTime(4999);
    const early = [...other.sent];
    jest.advanceTimersByTime(1);
    await settled();

    expect([early, other.sent, other.seen()]).toEqual([[], ['a'], []]);
  });

  test.each(['hold', 'remove'] as const)('stop all attempts when %s is called in one of them', async (act) => {
    const other = openTab('never');
    const tab = openTab(unreachable);
    tab.add('a', { text: 'hello' });
    await settled();
    other.hear();
    other[act]('a');
    tab.hear();
    tab.tryNow();
    await settled();

    expect(tab.sent).toEqual(['a']);
    expect([tab.seen(), other.seen()]).toEqual(act === 'hold' ? [['a held'], ['a held']] : [[], []]);
  });

  test("do not overwrite each other's entries", () => {
    const [one, other] = [openTab('never'), openTab('never')];
    one.add('a', { text: 'hello' });
    other.add('b', { text: 'hello' });
    one.add('c', { text: 'hello' });

    expect(stored.get().map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });
});

describe('an entry from an earlier release', () => {
  const earlier: Earlier = {
    stored: deviceEntry<object | null>('letters', isObject, null),
    entryOf: ({ id, text }) =>
      typeof id === 'string' ? { key: id, kind: 'letter', input: { text }, attempts: 1 } : null,
  };
  test.each([
    ['a list', '[{"id":"a","text":"hello"},7,{"text":"no id"}]'],
    ['a single value', '{"id":"a","text":"hello"}'],
  ])('is taken over from %s', (_what, text) => {
    device.stored.set('comanda.letters', text);

    const tab = openTab('never', [earlier]);

    const expected: Unsent[] = [{ key: 'a', kind: 'letter', input: { text: 'hello' }, state: 'late', attempts: 1 }];
    expect([tab.entries.value, stored.get()]).toEqual([expected, expected]);
    expect([...device.stored.keys()]).toEqual(['comanda.unsent']);
  });

  test.each(['', 'null', '{', '7', '[null]'])('is dropped if it is %j', (text) => {
    device.stored.set('comanda.letters', text);

    expect(openTab('never', [earlier]).entries.value).toEqual([]);
    expect(device.stored.size).toBe(0);
  });
});
