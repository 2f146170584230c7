import { describe, expect, test } from '@jest/globals';
import { statuses, type OrderStatus } from './order.ts';
import { transitionsOf, transitionsOfOrder, statusOf, type ViewerRole } from './transitions.ts';

const targets = (transitions: readonly { to: string }[]): string[] => transitions.map(({ to }) => to);

/**
 * Returns the statuses that are allowed next. An item with the status `delivered` has just been delivered; any other item never
 * was.
 */
const allowedTo = (status: OrderStatus, viewerRole: ViewerRole): string[] =>
  targets(transitionsOf({ status, wasDelivered: status === 'delivered', deliveredAgoMs: 0 }, viewerRole));

describe('the transition table', () => {
  test('lists the specified transitions for staff, forward first', () => {
    const allowed = Object.fromEntries(statuses.map((status) => [status, allowedTo(status, 'staff')]));

    expect(allowed).toEqual({
      received: ['preparing', 'cancelled'],
      preparing: ['ready', 'received', 'cancelled'],
      ready: ['delivered', 'preparing', 'cancelled'],
      delivered: ['ready'],
      cancelled: [],
    });
  });

  test('lets a manager cancel an order even after it was delivered', () => {
    const more = statuses.filter((status) => allowedTo(status, 'manager').length > allowedTo(status, 'staff').length);

    expect(more).toEqual(['delivered']);
    expect(allowedTo('delivered', 'manager')).toEqual(['ready', 'cancelled']);
  });

  test.each([
    ['the owner', 'owner', [['received', 'cancelled']]],
    ['another user', 'other', []],
  ] as const)('allows %s only their own transitions', (_who, viewerRole, expected) => {
    const allowed = statuses.flatMap((status) => allowedTo(status, viewerRole).map((to) => [status, to]));

    expect(allowed).toEqual(expected);
  });

  test("doesn't let an order go back more than 15 minutes after it was delivered", () => {
    const back = (deliveredAgoMs: number) =>
      targets(transitionsOf({ status: 'delivered', wasDelivered: true, deliveredAgoMs }, 'staff'));

    expect(back(15 * 60_000)).toEqual(['ready']);
    expect(back(15 * 60_000 + 1)).toEqual([]);
  });

  test("doesn't let an order go back while one of its items is further along, unless that item is cancelled", () => {
    const order = (...items: ('received' | 'preparing' | 'ready' | 'cancelled')[]) =>
      targets(
        transitionsOfOrder(
          { status: 'preparing', deliveredAgoMs: 0, items: items.map((status) => ({ status, wasDelivered: false })) },
          'staff',
        ),
      );
    expect(order('preparing', 'received', 'cancelled')).toEqual(['ready', 'received', 'cancelled']);
    expect(order('preparing', 'ready')).toEqual(['ready', 'cancelled']);
  });
});

describe("an order's status", () => {
  test.each<[items: readonly OrderStatus[], status: OrderStatus]>([
    [['received', 'received', 'received'], 'received'],
    [['preparing', 'received', 'received'], 'preparing'],
    [['delivered', 'received', 'received'], 'preparing'],
    [['ready', 'preparing', 'delivered'], 'preparing'],
    [['ready', 'ready', 'delivered'], 'ready'],
    [['ready', 'cancelled', 'delivered'], 'ready'],
    [['delivered', 'delivered', 'delivered'], 'delivered'],
    [['delivered', 'cancelled', 'cancelled'], 'delivered'],
    [['received', 'cancelled', 'cancelled'], 'received'],
    [['cancelled', 'cancelled', 'cancelled'], 'cancelled'],
    [[], 'cancelled'],
  ])('for items that are %j is %s', (items, status) => {
    expect(statusOf(items.map((each) => ({ status: each })))).toBe(status);
  });
});
