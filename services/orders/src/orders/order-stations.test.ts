import { describe, expect, test } from '@jest/globals';
import type { OrderStatus } from '@comanda/contracts/order';
import { itemsAt, markedStations, marksOfOrder, type Stations } from './order-stations.ts';
import type { OrderItem } from './order.ts';

const now = new Date('2026-11-20T21:30:00Z');
const later = new Date('2026-11-20T21:31:00Z');

type Marked = { at?: Date | null; status?: OrderStatus };
/** Creates an item at a station that showed it and read the allergies at `at`; null if it has done neither. */
const item = (station: string, { at = null, status = 'received' }: Marked = {}): OrderItem =>
  ({ station, status, seenAt: at, seenOn: at && (at === now ? 'first' : 'second'), allergiesReadAt: at }) as OrderItem;

describe('the items of an order for two stations', () => {
  const items = [item('kitchen'), item('bar')];

  test.each<[string, Stations, string[]]>([
    ['all stations', null, ['kitchen', 'bar']],
    ['one station', ['kitchen'], ['kitchen']],
    ['one station in another spelling', [' KITCHEN'], ['kitchen']],
    ['a station without items', ['grill'], []],
  ])('are found for %s', (_what, stations, found) => {
    expect(itemsAt({ items }, stations).map(({ station }) => station)).toEqual(found);
  });
});

describe('an order for two stations', () => {
  test.each<{ by: string; food: Marked; drink: Marked; all: Date | null; on: string | null }>([
    { by: 'no station', food: {}, drink: {}, all: null, on: null },
    { by: 'the kitchen', food: { at: now }, drink: {}, all: null, on: null },
    { by: 'both stations at once', food: { at: now }, drink: { at: now }, all: now, on: 'first' },
    { by: 'the kitchen, and later the bar', food: { at: now }, drink: { at: later }, all: later, on: 'second' },
    {
      by: 'the kitchen, while its drink is cancelled',
      food: { at: now },
      drink: { status: 'cancelled' },
      all: now,
      on: 'first',
    },
    {
      by: 'the kitchen, while all of it is cancelled',
      food: { at: now, status: 'cancelled' },
      drink: { status: 'cancelled' },
      all: null,
      on: null,
    },
  ])('has marks per station and for the whole order after a report by $by', ({ food, drink, all, on }) => {
    const items = [item('kitchen', food), item('bar', drink)];

    expect(marksOfOrder({ items })).toEqual({ seenAt: all, seenOn: on, allergiesReadAt: all });
    expect(markedStations({ items })).toMatchObject([
      { station: 'kitchen', seenAt: food.at ?? null, allergiesReadAt: food.at ?? null },
      { station: 'bar', seenAt: drink.at ?? null, allergiesReadAt: drink.at ?? null },
    ]);
  });
});
