import { liveClient } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import { expect, test } from '@jest/globals';
import { signal } from '@preact/signals';
import type { Menu } from '../menu/menu.ts';
import type { Seat } from '../seat/seat.ts';
import { openBasket } from './basket.ts';
import { openOrders } from './orders.ts';

test('a guest who signs in still owns the earlier order, and its allergies are sent with the next one', async () => {
  const order = {
    id: 3,
    ticket: 3,
    seating: 40,
    status: 'received',
    version: 1,
    created_at: '',
    allergies: 'peanuts',
    placed_by: { id: 7 },
    items: [],
  };
  const { client } = liveClient({ listOrders: async () => [order] });
  const seat = {
    who: signal({ userId: 8, seating: 40, isGuest: false }),
    table: signal('4'),
    isSeated: signal(true),
    scanTrouble: signal(null),
    isOwn: (userId: number) => userId === 7 || userId === 8,
  } as unknown as Seat;
  const menu = { menuLanguage: signal('en'), dishes: signal(null), dishById: signal(new Map()), avoided: signal([]) };
  const listening = { addEventListener: () => {}, removeEventListener: () => {} };
  Object.assign(globalThis, listening);
  const deps = { seat, menu: menu as unknown as Menu };
  const orders = openOrders({ ...deps, client, announce: () => {}, ring: () => {} });
  const basket = openBasket({ ...deps, orders: signal(orders), options: signal(null) });

  await until(() => orders.all.value.length > 0, { what: 'the order' });
  const found = { isOwn: orders.all.value.map(orders.isOwn), allergies: basket.allergies.value };
  for (const part of [basket, orders]) part.close();
  for (const name of Object.keys(listening)) Reflect.deleteProperty(globalThis, name);

  expect(found).toEqual({ isOwn: [true], allergies: 'peanuts' });
});
