import { describe, expect, test } from '@jest/globals';
import { statuses } from './orders.ts';
import { movesOf, movesOfOrder, statusOf } from './transitions.ts';

const targets = (moves: readonly { to: string }[]): string[] => moves.map(({ to }) => to);

describe('the table of moves', () => {
  test('when staff ask, then it is the specification, the way forward first', () => {
    const may = Object.fromEntries(
      statuses.map((status) => [status, targets(movesOf({ status, deliveredAgoMs: 0 }, 'staff'))]),
    );
    expect(may).toEqual({
      received: ['preparing', 'cancelled'],
      preparing: ['ready', 'received', 'cancelled'],
      ready: ['delivered', 'preparing', 'cancelled'],
      delivered: ['ready'],
      cancelled: [],
    });
  });

  test('when the owner asks, then they may cancel what is received; somebody else may nothing', () => {
    const of = (viewerRole: 'owner' | 'other') =>
      statuses.flatMap((status) =>
        targets(movesOf({ status, deliveredAgoMs: 0 }, viewerRole)).map((to) => [status, to]),
      );
    expect(of('owner')).toEqual([['received', 'cancelled']]);
    expect(of('other')).toEqual([]);
  });

  test('when it was delivered 15 minutes ago, then it may go back; a millisecond later it may not', () => {
    const back = (deliveredAgoMs: number) => targets(movesOf({ status: 'delivered', deliveredAgoMs }, 'staff'));
    expect(back(15 * 60_000)).toEqual(['ready']);
    expect(back(15 * 60_000 + 1)).toEqual([]);
  });

  test('when an item stands further on, then the order may not go back; one that is cancelled does not count', () => {
    const order = (...items: ('received' | 'preparing' | 'ready' | 'cancelled')[]) =>
      targets(
        movesOfOrder({ status: 'preparing', deliveredAgoMs: 0, items: items.map((status) => ({ status })) }, 'staff'),
      );
    expect(order('preparing', 'received', 'cancelled')).toEqual(['ready', 'received', 'cancelled']);
    expect(order('preparing', 'ready')).toEqual(['ready', 'cancelled']);
  });

  test('when there are no items left, then the order is cancelled', () => {
    expect(statusOf([])).toBe('cancelled');
    expect(statusOf([{ status: 'cancelled' }])).toBe('cancelled');
  });
});
