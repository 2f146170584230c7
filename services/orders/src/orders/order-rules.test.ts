import { describe, expect, test } from '@jest/globals';
import { Problem } from '@comanda/contracts/problem';
import { statuses, type OrderStatus } from '@comanda/contracts/order';
import { statusOf } from '@comanda/contracts/transitions';
import {
  changeItemStatus,
  changeOrderStatus,
  decideChange,
  portionsReturned,
  type ChangedOrder,
} from './order-rules.ts';
import { toOrderResponse } from './order-response.ts';
import { anItem, anOrder } from '../../test/support/orders.ts';
import { tagOf, unmarked, viewerRoleOf, type Order } from './order.ts';

const now = new Date('2026-11-20T21:30:00Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

/** Callers by their relation to the order. The mate has the same seating as the order; the stranger has none. */
const callers = {
  owner: { userId: 5, role: 'customer', seating: 88 },
  mate: { userId: 6, role: 'customer', seating: 88 },
  stranger: { userId: 7, role: 'customer' },
  waiter: { userId: 8, role: 'waiter' },
  manager: { userId: 9, role: 'manager' },
} as const;
type Role = keyof typeof callers;
const roles = Object.keys(callers) as Role[];

/** Creates an order by the user with id 5. It has one item for 10.00 in each of these statuses. */
function orderOf(itemStatuses: readonly OrderStatus[], deliveredAt = minutesAgo(1)): Order {
  const deliveredWith = (status: OrderStatus): Date | null => (status === 'delivered' ? deliveredAt : null);
  const items = itemStatuses.map((status, index) => {
    const at = deliveredWith(status);
    return anItem({ id: index + 1, status, deliveredAt: at, firstDeliveredAt: at });
  });
  return anOrder(items, { deliveredAt: deliveredWith(statusOf(items)) });
}
const itemStatuses = ({ items }: Order): OrderStatus[] => items.map(({ status }) => status);

/** Returns the result when this role sets the order to `to`; null if the caller must not learn that the order exists. */
function changeBy(role: Role, order: Order, to: OrderStatus): ChangedOrder | null {
  const viewerRole = viewerRoleOf(order, callers[role]);
  return viewerRole && changeOrderStatus(order, { to, viewerRole, now });
}
const answerOf = (changed: ChangedOrder | null): number =>
  changed instanceof Problem ? changed.status : changed ? 200 : 404;
/** Returns the `allowed_transitions` that the response or the problem lists for this role. */
function allowedIn(changed: ChangedOrder | null, role: Role): unknown {
  if (changed instanceof Problem) return changed.members['allowed_transitions'];
  const viewerRole = changed && viewerRoleOf(changed, callers[role]);
  return viewerRole ? toOrderResponse(changed, { viewerRole, now }).allowed_transitions : undefined;
}
function expectOrder(changed: ChangedOrder | null): Order {
  if (changed === null || changed instanceof Problem) throw new Error('The change was refused.');
  return changed;
}

/** Copied from the specification, not computed by the code under test. */
const allowedToStaff: Record<OrderStatus, readonly OrderStatus[]> = {
  received: ['preparing', 'cancelled'],
  preparing: ['ready', 'received', 'cancelled'],
  ready: ['delivered', 'preparing', 'cancelled'],
  delivered: ['ready'],
  cancelled: [],
};
function expectedAnswer(role: Role, from: OrderStatus, to: OrderStatus): 200 | 403 | 404 | 409 {
  if (role === 'stranger') return 404;
  if (role === 'mate') return 403;
  if (role === 'owner') {
    if (to !== 'cancelled') return 403;
    return from === 'cancelled' || from === 'received' ? 200 : 409;
  }
  if (from === 'delivered' && to === 'cancelled') return role === 'manager' ? 200 : 403;
  return from === to || allowedToStaff[from].includes(to) ? 200 : 409;
}
const expectedTransitions = (role: Role, status: OrderStatus): OrderStatus[] =>
  statuses.filter((next) => next !== status && expectedAnswer(role, status, next) === 200).toSorted();

const combinations = statuses.flatMap((from) =>
  roles.flatMap((role) => statuses.map((to) => ({ from, role, to, answer: expectedAnswer(role, from, to) }))),
);

describe("changing an order's status", () => {
  test.each(combinations)('from $from to $to returns $answer for the $role', ({ from, role, to, answer }) => {
    const before = orderOf([from]);

    const changed = changeBy(role, before, to);

    expect(answerOf(changed)).toBe(answer);
    const isListed = answer === 200 || answer === 409;
    const allowed = allowedIn(changed, role) as OrderStatus[] | undefined;
    // The item has been delivered once, so a waiter can no longer cancel it.
    const isLess = role === 'waiter' && from === 'delivered' && to === 'ready';
    const listed = expectedTransitions(role, answer === 200 ? to : from).filter(
      (next) => !isLess || next !== 'cancelled',
    );
    expect(allowed?.toSorted()).toEqual(isListed ? listed : undefined);
  });

  test.each(combinations.filter(({ from, to, answer }) => answer === 200 && from === to))(
    'from $from to the same status changes nothing if done by the $role',
    ({ from, role, to }) => {
      const before = orderOf([from]);
      expect(changeBy(role, before, to)).toBe(before);
    },
  );

  test.each(combinations.filter(({ from, to, answer }) => answer === 200 && from !== to))(
    'from $from to $to by the $role gives its item the same status, and the order a new version',
    ({ from, role, to }) => {
      expect(changeBy(role, orderOf([from]), to)).toMatchObject({
        status: to,
        version: 5,
        changedVersion: 5,
        updatedAt: now,
        items: [{ status: to }],
      });
    },
  );
});

describe("changing an item's status", () => {
  const rows = statuses.flatMap((from) =>
    statuses.map((to) => ({ from, to, answer: expectedAnswer('waiter', from, to) })),
  );
  /** Changes item 1. The second item stays `received`, so that the order's status doesn't follow item 1. */
  const change = (before: Order, to: OrderStatus) =>
    changeItemStatus(before, { itemId: 1, to, viewerRole: 'staff', now });

  test.each(rows)('from $from to $to returns $answer for staff, and keeps the other item', ({ from, to, answer }) => {
    const changed = change(orderOf([from, 'received']), to);

    expect(answerOf(changed)).toBe(answer);
    expect(changed instanceof Problem ? null : itemStatuses(changed)).toEqual(answer === 200 ? [to, 'received'] : null);
  });

  test.each(statuses)('from %s to the same status changes nothing', (status) => {
    const before = orderOf([status, 'received']);
    expect(change(before, status)).toBe(before);
  });

  test('returns 404 if the order has no such item', () => {
    expect(
      answerOf(changeItemStatus(orderOf(['received']), { itemId: 2, to: 'preparing', viewerRole: 'staff', now })),
    ).toBe(404);
  });
});

describe('the items of an order', () => {
  type Row = { before: OrderStatus[]; to: OrderStatus; status: OrderStatus; after: OrderStatus[]; total: string };
  test.each<Row & { what: string }>([
    {
      what: 'move forward with the order if they are behind it',
      before: ['preparing', 'received', 'delivered', 'cancelled'],
      to: 'ready',
      status: 'ready',
      after: ['ready', 'ready', 'delivered', 'cancelled'],
      total: '30.00',
    },
    {
      what: 'move back with the order if they have its status',
      before: ['preparing', 'received', 'cancelled'],
      to: 'received',
      status: 'received',
      after: ['received', 'received', 'cancelled'],
      total: '20.00',
    },
    {
      what: 'leave a cancelled order delivered if one of them was delivered',
      before: ['delivered', 'preparing'],
      to: 'cancelled',
      status: 'delivered',
      after: ['delivered', 'cancelled'],
      total: '10.00',
    },
  ])('$what, and count towards the total unless they are cancelled', ({ before, to, status, after, total }) => {
    const order = expectOrder(changeOrderStatus(orderOf(before), { to, viewerRole: 'staff', now }));
    expect([order.status, itemStatuses(order)]).toEqual([status, after]);
    expect(toOrderResponse(order, { viewerRole: 'staff', now })).toMatchObject({ status, total });
  });
});

describe('a delivered order', () => {
  const changes = (minutes: number) => {
    const order = orderOf(['delivered', 'delivered'], minutesAgo(minutes));
    const back = { to: 'ready', viewerRole: 'staff', now } as const;
    return [changeOrderStatus(order, back), changeItemStatus(order, { itemId: 1, ...back })];
  };

  test('can go back to ready for 15 minutes, and so can its items', () => {
    expect(changes(15)).toMatchObject([
      { status: 'ready', deliveredAt: null, items: [{ deliveredAt: null }, { deliveredAt: null }] },
      { status: 'ready', deliveredAt: null, items: [{ status: 'ready' }, { status: 'delivered' }] },
    ]);
    expect(changes(15.1).map(answerOf)).toEqual([409, 409]);
  });
});

describe("a station's report that it has seen and read an order", () => {
  const later = new Date(now.getTime() + 60_000);
  /** Returns an order after these stations showed it and read its allergies; null for all stations. */
  const reported = (order: Order, stations: readonly string[] | null, at: Date): Order => {
    const seen = expectOrder(decideChange(order, { kind: 'seen', device: `${stations?.[0]}-1`, stations }, at));
    return expectOrder(decideChange(seen, { kind: 'allergies_read', stations }, at));
  };
  const base = orderOf(['received', 'received']);
  const items = base.items.map((item, index) => ({ ...item, station: index === 0 ? 'kitchen' : 'bar' }));
  const twoStations: Order = { ...base, items, allergies: 'peanuts' };
  const once = reported(twoStations, ['kitchen'], now);

  test('is stored for the items at that station', () => {
    const byKitchen = { seenAt: now, seenOn: 'kitchen-1', allergiesReadAt: now };

    expect(once.items).toMatchObject([byKitchen, unmarked]);
    expect(reported(once, ['bar'], later).items).toMatchObject([
      byKitchen,
      { seenAt: later, seenOn: 'bar-1', allergiesReadAt: later },
    ]);
    // The previous release reports all stations at once.
    expect(reported(once, null, later).items).toMatchObject([byKitchen, { seenAt: later, allergiesReadAt: later }]);
  });

  test('has no effect if it is repeated, and never changes the ETag', () => {
    expect(reported(once, ['kitchen'], later)).toBe(once);
    expect([once.version, tagOf(once)]).toEqual([twoStations.version + 2, tagOf(twoStations)]);
  });
});

describe('a dish that was once delivered', () => {
  /**
   * Creates an order of two dishes, of which the first was delivered and set back. `steps`: the first dish's statuses after that.
   */
  function returned(...steps: OrderStatus[]): Order {
    const back = (before: Order, to: OrderStatus) =>
      expectOrder(changeItemStatus(before, { itemId: 1, to, viewerRole: 'staff', now }));
    return steps.reduce(back, orderOf(['delivered', 'ready']));
  }
  const cancelItem = (order: Order, itemId: number, role: Role) =>
    changeItemStatus(order, {
      itemId,
      to: 'cancelled',
      viewerRole: viewerRoleOf(order, callers[role]) ?? 'other',
      now,
    });

  test.each<[OrderStatus, OrderStatus[]]>([
    ['delivered', []],
    ['ready', ['ready']],
    ['preparing', ['ready', 'preparing']],
    ['received', ['ready', 'preparing', 'received']],
  ])('can be cancelled by a manager, but not by a waiter, when its status is %s', (status, steps) => {
    const order = returned(...steps);
    expect(itemStatuses(order)).toEqual([status, 'ready']);
    expect(answerOf(cancelItem(order, 1, 'waiter'))).toBe(403);
    expect(itemStatuses(expectOrder(cancelItem(order, 1, 'manager')))).toEqual(['cancelled', 'ready']);
    expect(itemStatuses(expectOrder(cancelItem(order, 2, 'waiter')))).toEqual([status, 'cancelled']);
  });

  test('lets a waiter cancel the order only while the dish is delivered, and then stays delivered', () => {
    const [kept, back] = [returned(), returned('ready')];
    expect(itemStatuses(expectOrder(changeBy('waiter', kept, 'cancelled')))).toEqual(['delivered', 'cancelled']);
    expect(answerOf(changeBy('waiter', back, 'cancelled'))).toBe(403);
    expect(allowedIn(back, 'waiter')).toEqual(['delivered', 'preparing']);
    expect(itemStatuses(expectOrder(changeBy('manager', back, 'cancelled')))).toEqual(['cancelled', 'cancelled']);
    expect(allowedIn(back, 'manager')).toContain('cancelled');
  });

  test('can be cancelled by a manager together with all other delivered dishes', () => {
    const order = orderOf(['delivered', 'delivered'], minutesAgo(60));
    expect(answerOf(changeBy('waiter', order, 'cancelled'))).toBe(403);
    expect(itemStatuses(expectOrder(changeBy('manager', order, 'cancelled')))).toEqual(['cancelled', 'cancelled']);
  });
});

describe('cancelled items', () => {
  test.each<[OrderStatus, number]>([
    ['received', 2],
    ['preparing', 0],
    ['ready', 0],
  ])('that were %s return %i portions', (status, portions) => {
    const before = orderOf([status, status]);
    const after = expectOrder(changeOrderStatus(before, { to: 'cancelled', viewerRole: 'staff', now }));
    expect([...portionsReturned(before, after)]).toEqual(portions === 0 ? [] : [[70, portions]]);
  });
});
