import { CallFailure, type Client, type LiveOrder } from '@comanda/client/core';
import { openDeviceTabs } from '@comanda/testing/device-tabs';
import { until } from '@comanda/testing/until';
import { afterEach, beforeEach, jest } from '@jest/globals';
import { signal } from '@preact/signals';
import { openBasket } from '../../src/order/basket.ts';
import type { Menu } from '../../src/menu/menu.ts';
import { openSending } from '../../src/order/sending.ts';
import type { Orders } from '../../src/order/orders.ts';
import type { Seat } from '../../src/seat/seat.ts';
import { findArrived } from '../../src/order/unsent-order.ts';

const open: { close: () => void }[] = [];
export let device: ReturnType<typeof openDeviceTabs>;
/** Opens a new device for each test of a file. Call this in the file itself, because all files in a worker share this module. */
export function openDeviceForEach(): void {
  beforeEach(() => {
    device = openDeviceTabs();
  });
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
    jest.restoreAllMocks();
    device.close();
  });
}

const unreachable = () => new CallFailure('nobody', { code: 'unreachable', outcome: 'unknown', retryAfterMs: 1 });
export const dish = (id: number) =>
  ({ id, name: `Dish ${id}`, price: '10.00', allergens: [], available: true }) as never;
type Person = { userId: number; table?: string; seating?: number; isGuest?: boolean };
type Server = {
  isDown: boolean;
  refusal: CallFailure | null;
  now: Person;
  posts: { key: string; lines: string }[];
  orders: LiveOrder[];
  /** How often a tab has loaded the menu again. */ menuReads: number;
};

/** Creates a fake server that places one order per idempotency key. */
export const newServer = (): Server => ({
  isDown: false,
  refusal: null,
  now: { userId: 7, table: '4', seating: 40, isGuest: true },
  posts: [],
  orders: [],
  menuReads: 0,
});
/** Creates an order in the form in which the server lists it. */
export const orderOf = (id: number, dishId: number): LiveOrder =>
  ({
    id,
    ticket: id,
    total: '0.00',
    placed_by: { id: 7, name: 'Guest' },
    created_at: new Date().toISOString(),
    allergies: null,
    items: [{ item_id: dishId, quantity: 1, remarks: '' }],
  }) as unknown as LiveOrder;

/** Opens one tab of a phone, with a real basket and real sending. */
export function openTab(server: Server, isScanning = signal(false)) {
  const hear = device.newTab();
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
        if (server.refusal) return Promise.reject(server.refusal);
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
  const menu = {
    dishes: signal(null),
    dishById: signal(new Map()),
    avoided: signal([]),
    verdictOf: () => 'ask',
    loadAgain: () => server.menuReads++,
  } as unknown as Menu;
  const orders = {
    all,
    isComplete: signal(true),
    isOwn: (order: LiveOrder) => order.placed_by.id === who.value?.userId,
  } as unknown as Orders;
  const knownOrders = signal(orders);
  const basket = openBasket({ menu, seat: seat as unknown as Seat, orders: knownOrders, options: signal(null) });
  const options = { load: () => {} };
  const deps = { client, menu, orders, basket, options, seat: seat as unknown as Seat, announce: () => {} };
  const sending = openSending(deps);
  open.push(sending, basket);
  return {
    basket,
    sending,
    orders: all,
    seat,
    add: (id: number) => basket.add(dish(id), { quantity: 1, remarks: '' }),
    lines: () => basket.lines.value.map(({ dishId }) => dishId),
    ended: () => sending.ended.value[0],
    arrived: () => sending.ended.value[0] && findArrived(all.value, sending.ended.value[0].input),
    /** Tells this tab what another tab has stored, as a browser does with a `storage` event. */
    hear,
    close: () => {
      sending.close();
      basket.close();
    },
  };
}
/** Opens a tab that has sent an order for dish 1. The order doesn't reach the server. */
export async function stuckTab(server = newServer()) {
  server.isDown = true;
  const tab = openTab(server);
  tab.add(1);
  tab.sending.send();
  await until(() => tab.sending.outgoing.value?.state === 'late', { what: 'a failed attempt' });
  return { server, tab };
}
export const isEmpty = ({ sending }: ReturnType<typeof openTab>) =>
  until(() => sending.outgoing.value === null, { what: 'no order on its way' });
