import { expect, test } from '@jest/globals';
import { unseenStations } from './order-stations.ts';
import type { OrderStatus } from './order.ts';

const at = '2026-11-20T21:00:00.000Z';
type Dish = readonly [station: string, status: OrderStatus];
type Seen = { stations?: Record<string, string | null>; all?: string | null };

const orderOf = (dishes: readonly Dish[], { stations, all = null }: Seen) => ({
  items: dishes.map(([station, status], index) => ({
    id: index + 1,
    item_id: 7,
    name: 'Feijoada',
    quantity: 1,
    remarks: '',
    unit_price: '32.50',
    station,
    status,
  })),
  seen_at: all,
  ...(stations && {
    stations: Object.entries(stations).map(([station, seen_at]) => ({
      station,
      seen_at,
      seen_on: null,
      allergies_read_at: null,
    })),
  }),
});

test.each<[what: string, dishes: readonly Dish[], seen: Seen, unseen: readonly string[]]>([
  [
    'only the kitchen has shown the order',
    [
      ['kitchen', 'received'],
      ['bar', 'received'],
    ],
    { stations: { kitchen: at, bar: null } },
    ['bar'],
  ],
  [
    'the kitchen has delivered its dish, and the bar has not shown the order',
    [
      ['kitchen', 'delivered'],
      ['bar', 'received'],
    ],
    { stations: { kitchen: at, bar: null } },
    ['bar'],
  ],
  [
    'the bar works without a screen',
    [
      ['kitchen', 'received'],
      ['bar', 'preparing'],
    ],
    { stations: { kitchen: at, bar: null } },
    [],
  ],
  [
    'the drink is cancelled',
    [
      ['kitchen', 'received'],
      ['bar', 'cancelled'],
    ],
    { stations: { kitchen: at, bar: null } },
    [],
  ],
  [
    'two dishes spell one station differently',
    [
      ['Bar', 'received'],
      ['bar', 'received'],
    ],
    { stations: { Bar: null } },
    ['Bar'],
  ],
  ['the last release has not shown the order', [['bar', 'received']], {}, ['bar']],
  ['the last release has shown the order', [['bar', 'received']], { all: at }, []],
])("an order's unseen stations are those with an unseen dish when %s", (...row) => {
  const [, dishes, seen, unseen] = row;
  expect(unseenStations(orderOf(dishes, seen))).toEqual(unseen);
});
