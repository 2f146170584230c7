import { CallFailure, type Client, type LiveOrder } from '@comanda/client';
import { until } from '@comanda/testing/until';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { signal } from '@preact/signals';
import { memoryStorage } from '@comanda/testing/memory-storage';
import type { Menu } from '../menu/menu.ts';
import type { Seat } from '../seat/seat.ts';
import { openBasket } from './basket.ts';
import type { Orders } from './orders.ts';
import { findArrived } from './find-arrived.ts';
import { openSending } from './sending.ts';

type Heard = (event: { key: string }) => void;
const device = new Map<string, string>();
const open: { close: () => void }[] = [];
let heardByNewTab: Set<Heard>;
beforeEach(() => {
  Object.assign(globalThis, {
    localStorage: memoryStorage(device),
    addEventListener: (_type: string, listener: Heard) => heardByNewTab.add(listener),
    removeEventListener: () => {},
  });
});
afterEach(() => {
  for (const each of open.splice(0)) each.close();
  device.clear();
  jest.restoreAllMocks();
  for (const name of ['localStorage', 'addEventListener', 'removeEventListener'])
    Reflect.deleteProperty(globalThis, name);
});

const unreachable = () => new CallFailure('nobody', { code: 'unreachable', outcome: 'unknown', retryAfterMs: 1 });
const dish = (id: number) => ({ id, name: `Dish ${id}`, price: '10.00', allergens: [], available: true }) as never;
type Person = { userId: number; table?: string; seating?: number; isGuest?: boolean };
type Server = { isDown: boolean; now: Person; posts: { key: string; lines: string }[]; orders: LiveOrder[] };

/** A server that places one order a key. */
const newServer = (): Server => ({
  isDown: false,
  now: { userId: 7, table: '4', seating: 40, isGuest: true },
  posts: [],
  orders: [],
});
/** An order as the server lists it. */
const orderOf = (id: number, dishId: number): LiveOrder =>
  ({
    id,
    ticket: id,
    total: '0.00',
    placed_by: { id: 7, name: 'Guest' },
    created_at: new Date().toISOString(),
    allergies: null,
    items: [{ item_id: dishId, quantity: 1, remarks: '' }],
  }) as unknown as LiveOrder;

/** One tab of a phone: a real basket and its sending. */
function openTab(server: Server, isScanning = signal(false)) {
  const heard = new Set<Heard>();
  heardByNewTab = heard;
  const who = signal<Person | null>(server.now);
  const all = signal<readonly LiveOrder[]>([...server.orders]);
  const client = {
    who: () => who.value,
    now: Date.now,
    newKey: () => `key ${Math.random()}`,
    renewTokens: () => {
      if (server.isDown) return Promise.reject(unreachable());
      who.value = server.now;
      return Promise.resolve();
    },
    calls: {
      placeOrder: (order: { items: { item_id: number }[] }, { idempotencyKey: key }: { idempotencyKey: string }) => {
        if (server.isDown) return Promise.reject(unreachable());
        const lines = order.items.map(({ item_id }) => item_id).join();
        server.posts.push({ key, lines });
        return Promise.resolve(orderOf(900, order.items[0]?.item_id ?? 0));
      },
    },
  } as unknown as Client;
  const seat = {
    who,
    table: signal(server.now.table ?? null),
    isSeated: signal(true),
    isClosed: signal(false),
    isScanning,
    isOwn: (userId: number) => userId === who.value?.userId,
  };
  const menu = { dishes: signal(null), dishById: signal(new Map()), avoided: signal([]) } as unknown as Menu;
  const orders = {
    all,
    isComplete: signal(true),
    isOwn: (order: LiveOrder) => order.placed_by.id === who.value?.userId,
    apply: () => {},
  } as unknown as Orders;
  const basket = openBasket({ menu, seat: seat as unknown as Seat, orders });
  const deps = { client, menu, orders, basket, seat: seat as unknown as Seat, announce: () => {} };
  const sending = openSending(deps);
  open.push(sending, basket);
  return {
    basket,
    sending,
    orders: all,
    seat,
    add: (id: number) => basket.add(dish(id), { quantity: 1, remarks: '' }),
    lines: () => basket.lines.value.map(({ dishId }) => dishId),
    arrived: () => sending.stopped.value && findArrived(all.value, sending.stopped.value),
    /** Hears what another tab has stored, as browsers tell it. */
    hear: () => {
      for (const name of ['stopped', 'basket', 'outgoing'])
        for (const listener of heard) listener({ key: `comanda.${name}` });
    },
    close: () => {
      sending.close();
      basket.close();
    },
  };
}
/** A tab whose order, dish 1, does not get through. */
async function stuckTab(server = newServer()) {
  server.isDown = true;
  const tab = openTab(server);
  tab.add(1);
  tab.sending.send();
  await until(() => tab.sending.attempts.value.count > 0, { what: 'a try' });
  return { server, tab };
}
const isEmpty = ({ sending }: ReturnType<typeof openTab>) =>
  until(() => sending.outgoing.value === null, { what: 'no order on its way' });

test('when the same is ordered again and stopped, then the first order is not what has arrived, also after a reload', async () => {
  const server = newServer();
  server.orders.push(orderOf(3, 1));
  const { tab } = await stuckTab(server);
  tab.sending.stop();
  tab.close();
  const reloaded = openTab(server);
  const before = [tab.arrived(), reloaded.sending.stopped.value?.lines.length, reloaded.arrived()];
  reloaded.orders.value = [orderOf(4, 1), ...server.orders];

  expect(before).toEqual([undefined, 1, undefined]);
  expect(reloaded.arrived()?.id).toBe(4);
});

test.each([
  ['is 16 minutes old', 16, { userId: 7, table: '4', seating: 40 }],
  ['was for another table', 1, { userId: 7, table: '9', seating: 90 }],
  ['was for a table that its customer has left', 1, { userId: 7 }],
] as const)(
  'when an order without an answer %s, then it is not sent, and is in the basket again',
  async (_what, minutes, now) => {
    const { server, tab } = await stuckTab();
    tab.close();
    const later = Date.now() + minutes * 60_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    Object.assign(server, { isDown: false, now });

    const reloaded = openTab(server);
    await isEmpty(reloaded);

    expect([server.posts, reloaded.lines(), reloaded.sending.stopped.value?.isOld]).toEqual([[], [1], true]);
  },
);

test.each([
  ['moved to another table', { userId: 7, table: '9', seating: 40 }],
  ['joined with another table', { userId: 7, table: '4', seating: 90 }],
])(
  'when guests were %s while the network was gone, then their order still goes, to where they are',
  async (_what, now) => {
    const { server, tab } = await stuckTab();
    Object.assign(server, { isDown: false, now });

    await isEmpty(tab);

    expect([server.posts.length, tab.lines(), tab.seat.who.value]).toEqual([1, [], now]);
  },
);

test('when a code is being looked up, then an order from before waits until the table is known', async () => {
  const { server, tab } = await stuckTab();
  tab.close();
  const isScanning = signal(true);
  server.isDown = false;
  const reloaded = openTab(server, isScanning);
  await new Promise(setImmediate);
  const sentEarly = server.posts.length;
  server.now = { userId: 7, table: '9', seating: 90 };
  reloaded.seat.table.value = '9';
  isScanning.value = false;
  await isEmpty(reloaded);

  expect([sentEarly, server.posts, reloaded.lines()]).toEqual([0, [], [1]]);
});

test.each([[true], [false]])(
  'when another tab stops the order, then this one sends nothing more (hears of it: %s)',
  async (hears) => {
    const { server, tab } = await stuckTab();
    const second = openTab(server);
    second.sending.stop();
    if (hears) tab.hear();
    server.isDown = false;
    await isEmpty(tab);
    tab.hear();

    expect([server.posts, tab.lines(), second.lines()]).toEqual([[], [1], [1]]);
  },
);

test('when the unchanged basket is sent again after "Stop", then with the same key; a changed one has its own', async () => {
  const { server, tab } = await stuckTab();
  const { key = '' } = tab.sending.outgoing.value ?? {};
  tab.sending.stop();
  server.isDown = false;
  tab.sending.send();
  await isEmpty(tab);
  const [again] = server.posts;

  const other = await stuckTab();
  const { key: stoppedKey } = other.tab.sending.outgoing.value ?? {};
  other.tab.sending.stop();
  other.tab.add(2);
  other.server.isDown = false;
  other.tab.sending.send();
  await isEmpty(other.tab);

  expect(again?.key).toBe(key);
  expect(other.server.posts.map(({ lines }) => lines)).toEqual(['1,2']);
  expect(other.server.posts[0]?.key).not.toBe(stoppedKey);
});

test('when another tab sends the basket, then it is empty here too, and what is added is all that is sent', async () => {
  const server = newServer();
  const first = openTab(server);
  first.add(1);
  const second = openTab(server);
  second.sending.send();
  await isEmpty(second);
  first.hear();
  first.add(2);
  first.sending.send();
  await isEmpty(first);

  expect(server.posts.map(({ lines }) => lines)).toEqual(['1', '2']);
});

test('when another tab has an order on its way, then it is shown here, and nothing replaces it', async () => {
  const server = newServer();
  const second = openTab(server);
  second.add(2);
  const { tab } = await stuckTab(server);
  second.sending.send();
  const before = second.sending.outgoing.value;
  second.hear();

  expect(before).toBeNull();
  expect(second.sending.outgoing.value?.key).toBe(tab.sending.outgoing.value?.key);
});

test.each([
  ['gluten', 'gluten, peanuts', 'gluten, peanuts'],
  ['gluten', 'peanuts', 'peanuts, gluten'],
  ['gluten', null, 'gluten'],
])(
  'when "%s" is on its way, "%s" is written and the order is stopped, then both stand: %s',
  async (sent, since, both) => {
    const server = newServer();
    server.isDown = true;
    const tab = openTab(server);
    tab.add(1);
    tab.basket.setAllergies(sent);
    tab.sending.send();
    if (since !== null) tab.basket.setAllergies(since);
    tab.sending.stop();

    expect(tab.basket.allergies.value).toBe(both);
  },
);

test('when the order comes to another sum than the guest was shown, then that is kept with what was sent last', async () => {
  const { add, sending } = openTab(newServer());
  add(1);
  sending.send();
  await until(() => sending.lastSent.value, { what: 'the answer' });

  expect(sending.lastSent.value).toEqual({ id: 900, changedTotal: '0.00' });
});
