import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { followStored, hasKeys, isListOf, isOneOf, stored } from './stored-setting.ts';

const device = new Map<string, string>();
beforeEach(() => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => device.get(key) ?? null,
      setItem: (key: string, value: string) => device.set(key, value),
      removeItem: (key: string) => device.delete(key),
    },
  });
});
afterEach(() => {
  device.clear();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

type Seat = { table: string; at: number };
const seat = stored('seat', hasKeys<Seat>('table', 'at'), null as Seat | null);
const bumps = stored('bumps', isListOf<{ id: string }>('id'), []);
const theme = stored('theme', isOneOf('light', 'dark'), null as 'light' | 'dark' | null);
const columns = stored('columns', (value): value is number => typeof value === 'number', 3);

test('a stored value is read back unchanged', () => {
  seat.write({ table: '12', at: 7 });
  bumps.write([{ id: 'a' }]);
  theme.write('dark');
  columns.write(4);

  expect([seat.get(), bumps.get(), theme.get(), columns.get()]).toEqual([
    { table: '12', at: 7 },
    [{ id: 'a' }],
    'dark',
    4,
  ]);
  expect(Object.fromEntries(device)).toEqual({
    'comanda.seat': '{"table":"12","at":7}',
    'comanda.bumps': '[{"id":"a"}]',
    'comanda.theme': 'dark',
    'comanda.columns': '4',
  });
});

test('storing the fallback removes the stored value', () => {
  seat.write({ table: '12', at: 7 });
  bumps.write([{ id: 'a' }]);
  seat.write(null);
  bumps.write([]);

  expect([seat.get(), bumps.get(), device.size]).toEqual([null, [], 0]);
});

test.each(['', 'null', '{', '7', '{"table":"12"}', '[{"id":"a"},7]', 'blue'])(
  '%j from another version or program is ignored',
  (text) => {
    for (const name of ['seat', 'bumps', 'theme']) device.set(`comanda.${name}`, text);

    expect([seat.get(), bumps.get(), theme.get()]).toEqual([null, [], null]);
  },
);

test('the fallback is returned when the browser has no storage', () => {
  Reflect.deleteProperty(globalThis, 'localStorage');
  columns.write(4);

  expect(columns.get()).toBe(3);
});

describe("a page that comes back from the browser's cache", () => {
  const window = new EventTarget();
  beforeEach(() => void Object.assign(globalThis, { addEventListener: window.addEventListener.bind(window) }));
  afterEach(() => void Reflect.deleteProperty(globalThis, 'addEventListener'));
  const go = (name: 'pagehide' | 'pageshow', persisted: boolean): void =>
    void window.dispatchEvent(Object.assign(new Event(name), { persisted }));

  test.each([
    { what: 'gets values from another tab', written: 'dark', persisted: true, heard: ['dark'] },
    { what: 'gets nothing if nothing was written', written: null, persisted: true, heard: [] },
    { what: 'gets nothing if it was only loaded', written: 'dark', persisted: false, heard: [] },
  ] as const)('$what', ({ written, persisted, heard }) => {
    const reported: unknown[] = [];
    const stop = followStored(theme, (value) => reported.push(value));
    go('pagehide', true);
    if (written !== null) theme.write(written);
    go('pageshow', persisted);
    stop();
    theme.write('light');
    go('pageshow', true);

    expect(reported).toEqual(heard);
  });
});
