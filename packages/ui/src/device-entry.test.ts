import { effect } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDeviceTabs } from '@comanda/testing/device-tabs';
import { deviceEntry, isListOf, isNullOr, isNumber, isObjectOf, isOneOf, isText } from './device-entry.ts';

let tabs: ReturnType<typeof openDeviceTabs>;
let device: Map<string, string>;
beforeEach(() => {
  tabs = openDeviceTabs();
  device = tabs.stored;
});
afterEach(() => tabs.close());

type Seat = { table: string; at: number };
const isSeat = isObjectOf<Seat>({ table: isText, at: isNumber });
const seat = deviceEntry<Seat | null>('seat', isSeat, null);
const bumps = deviceEntry('bumps', isListOf(isObjectOf<{ id: string }>({ id: isText })), []);
const themeOf = () => deviceEntry('theme', isNullOr(isOneOf('light', 'dark')), null);
const theme = themeOf();
const columns = deviceEntry('columns', isNumber, 3);

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

test.each(['', 'null', '{', '7', '{"table":"12"}', '{"table":12,"at":7}', '[{"id":"a"},7]', 'blue'])(
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

test("an entry's signal has the value that was stored last, in this tab or another one", () => {
  const hearHere = tabs.newTab();
  const here = themeOf();
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push(here.signal.value));
  const hearThere = tabs.newTab();
  const there = themeOf();
  there.write('dark');
  hearHere();
  here.write('light');
  hearThere();
  stop();

  expect([seen, there.signal.value]).toEqual([[null, 'dark', 'light'], 'light']);
});

test("an entry's signal keeps its value when the browser has no storage", () => {
  Reflect.deleteProperty(globalThis, 'localStorage');
  const size = deviceEntry('size', isNumber, 1);
  size.write(2);
  const first = size.signal.value;
  size.write(3);

  expect([first, size.signal.value, size.get()]).toEqual([2, 3, 1]);
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
    const stop = theme.onOtherTab((value) => reported.push(value));
    go('pagehide', true);
    if (written !== null) theme.write(written);
    go('pageshow', persisted);
    stop();
    theme.write('light');
    go('pageshow', true);

    expect(reported).toEqual(heard);
  });
});
