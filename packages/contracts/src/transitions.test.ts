import { describe, expect, test } from '@jest/globals';
import { statuses, type OrderStatus } from './orders.ts';
import { transitionsOf, transitionsOfOrder, statusOf, type ViewerRole } from './transitions.ts';

const targets = (transitions: readonly { to: string }[]): string[] => transitions.map(({ to }) => to);

/** The transitions of an item that is delivered now, or never was. */
const allowedTo = (status: OrderStatus, viewerRole: ViewerRole): string[] =>
  targets(transitionsOf({ status, wasDelivered: status === 'delivered', deliveredAgoMs: 0 }, viewerRole));

describe('the transition table', () => {
  test('when the viewer is staff, then the transitions are those of the specification, forward first', () => {
    const allowed = Object.fromEntries(statuses.map((status) => [status, allowedTo(status, 'staff')]));

    expect(allowed).toEqual({
      received: ['preparing', 'cancelled'],
      preparing: ['ready', 'received', 'cancelled'],
      ready: ['delivered', 'preparing', 'cancelled'],
      delivered: ['ready'],
      cancelled: [],
    });
  });

  test('when the viewer is a manager, then what is delivered may be cancelled too', () => {
    const more = statuses.filter((status) => allowedTo(status, 'manager').length > allowedTo(status, 'staff').length);

    expect(more).toEqual(['delivered']);
    expect(allowedTo('delivered', 'manager')).toEqual(['ready', 'cancelled']);
  });

  test.each([
    ['the owner', 'owner', [['received', 'cancelled']]],
    ['another user', 'other', []],
  ] as const)('when the viewer is %s, then only their own transitions are allowed', (_who, viewerRole, expected) => {
    const allowed = statuses.flatMap((status) => allowedTo(status, viewerRole).map((to) => [status, to]));

    expect(allowed).toEqual(expected);
  });

  test('when an order was delivered more than 15 minutes ago, then it may not go back', () => {
    const back = (deliveredAgoMs: number) =>
      targets(transitionsOf({ status: 'delivered', wasDelivered: true, deliveredAgoMs }, 'staff'));

    expect(back(15 * 60_000)).toEqual(['ready']);
    expect(back(15 * 60_000 + 1)).toEqual([]);
  });

  test('when an item is further on, then the order may not go back; cancelled items do not count', () => {
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

  test('when all items are cancelled, then the order is cancelled', () => {
    expect(statusOf([])).toBe('cancelled');
    expect(statusOf([{ status: 'cancelled' }])).toBe('cancelled');
  });
});
