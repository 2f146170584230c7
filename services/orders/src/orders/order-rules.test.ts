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
import { toEventOrder, toOrderResponse } from './order-response.ts';
import { tagOf, unmarked, viewerRoleOf, type Order, type OrderItem } from './order.ts';

const createdAt = new Date('2026-11-20T21:00:00Z');
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
  const location = { table: '7', seating: 88 };
  const deliveredWith = (status: OrderStatus): Date | null => (status === 'delivered' ? deliveredAt : null);
  const items = itemStatuses.map((status, index): OrderItem => ({
    id: index + 1,
    itemId: 70,
    name: 'Feijoada',
    nameTranslations: {},
    quantity: 1,
    remarks: '',
    unitPriceMinor: 1000,
    station: 'kitchen',
    status,
    holdsPortions: true,
    deliveredAt: deliveredWith(status),
    ...unmarked,
    firstDeliveredAt: deliveredWith(status),
  }));
  const status = statusOf(items);
  return {
    id: 1042,
    ticket: 37,
    ownerId: 5,
    ownerName: 'Ana',
    placedByStaff: false,
    billId: 312,
    ...location,
    originalLocation: { ...location, billId: 312 },
    status,
    version: 4,
    changedVersion: 4,
    allergies: null,
    items,
    currency: 'BRL',
    carriedEvent: null,
    deliveredAt: deliveredWith(status),
    createdAt,
    updatedAt: createdAt,
  };
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
    'from $from to the same status changes nothing for the $role',
    ({ from, role, to }) => {
      const before = orderOf([from]);
      expect(changeBy(role, before, to)).toBe(before);
    },
  );

  test.each(combinations.filter(({ from, to, answer }) => answer === 200 && from !== to))(
    'from $from to $to by the $role gives its item the same status and the order a new version',
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

  test.each(
    statuses.flatMap((from) => (['owner', 'mate', 'waiter', 'manager'] as const).map((role) => ({ from, role }))),
  )('is listed in allowed_transitions if the $role may do it (from $from)', ({ from, role }) => {
    const allowed = allowedIn(orderOf([from]), role) as OrderStatus[];
    expect(allowed.toSorted()).toEqual(expectedTransitions(role, from));
  });
});

describe("changing an item's status", () => {
  const rows = statuses.flatMap((from) =>
    statuses.map((to) => ({ from, to, answer: expectedAnswer('waiter', from, to) })),
  );
  /** Changes item 1. The second item stays `received`, so that the order's status doesn't follow item 1. */
  const change = (before: Order, to: OrderStatus) =>
    changeItemStatus(before, { itemId: 1, to, viewerRole: 'staff', now });

  test.each(rows)('from $from to $to returns $answer for staff', ({ from, to, answer }) => {
    expect(answerOf(change(orderOf([from, 'received']), to))).toBe(answer);
  });

  test.each(rows.filter(({ answer }) => answer === 200))(
    'from $from to $to leaves the other item unchanged',
    ({ from, to }) => {
      expect(itemStatuses(expectOrder(change(orderOf([from, 'received']), to)))).toEqual([to, 'received']);
    },
  );

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

describe("an order's status and total", () => {
  test.each<[readonly OrderStatus[], OrderStatus, string]>([
    [['received', 'received', 'received'], 'received', '30.00'],
    [['preparing', 'received', 'received'], 'preparing', '30.00'],
    [['delivered', 'received', 'received'], 'preparing', '30.00'],
    [['ready', 'preparing', 'delivered'], 'preparing', '30.00'],
    [['ready', 'ready', 'delivered'], 'ready', '30.00'],
    [['ready', 'cancelled', 'delivered'], 'ready', '20.00'],
    [['delivered', 'delivered', 'delivered'], 'delivered', '30.00'],
    [['delivered', 'cancelled', 'cancelled'], 'delivered', '10.00'],
    [['received', 'cancelled', 'cancelled'], 'received', '10.00'],
    [['cancelled', 'cancelled', 'cancelled'], 'cancelled', '0.00'],
  ])('for items that become %j are %s and %s', (targets, status, total) => {
    const steps: Record<OrderStatus, readonly OrderStatus[]> = {
      received: [],
      preparing: ['preparing'],
      ready: ['preparing', 'ready'],
      delivered: ['preparing', 'ready', 'delivered'],
      cancelled: ['cancelled'],
    };
    const changes = targets.flatMap((target, index) =>
      steps[target].map((to) => ({ itemId: index + 1, to, viewerRole: 'staff' as const, now })),
    );

    const order = changes.reduce(
      (before, change) => expectOrder(changeItemStatus(before, change)),
      orderOf(['received', 'received', 'received']),
    );

    expect(itemStatuses(order)).toEqual(targets);
    expect(toOrderResponse(order, { viewerRole: 'staff', now })).toMatchObject({ status, total });
  });
});

describe('the items of an order', () => {
  const change = (before: readonly OrderStatus[], to: OrderStatus) =>
    changeOrderStatus(orderOf(before), { to, viewerRole: 'staff', now });

  test.each<{ what: string; before: OrderStatus[]; to: OrderStatus; status: OrderStatus; after: OrderStatus[] }>([
    {
      what: 'move forward with the order if they are behind it',
      before: ['preparing', 'received', 'delivered', 'cancelled'],
      to: 'ready',
      status: 'ready',
      after: ['ready', 'ready', 'delivered', 'cancelled'],
    },
    {
      what: 'move back with the order if they have its status',
      before: ['preparing', 'received', 'cancelled'],
      to: 'received',
      status: 'received',
      after: ['received', 'received', 'cancelled'],
    },
    {
      what: 'leave a cancelled order delivered if one of them was delivered',
      before: ['delivered', 'preparing'],
      to: 'cancelled',
      status: 'delivered',
      after: ['delivered', 'cancelled'],
    },
  ])('$what', ({ before, to, status, after }) => {
    const order = expectOrder(change(before, to));
    expect([order.status, itemStatuses(order)]).toEqual([status, after]);
  });

  test('keep the order from going back if one is further along', () => {
    const changed = change(['ready', 'received', 'cancelled'], 'received');
    expect([answerOf(changed), allowedIn(changed, 'waiter')]).toEqual([409, ['ready', 'cancelled']]);
  });
});

describe('a delivered order', () => {
  const change = (minutes: number) => {
    const order = orderOf(['delivered', 'delivered'], minutesAgo(minutes));
    return {
      order: changeOrderStatus(order, { to: 'ready', viewerRole: 'staff', now }),
      item: changeItemStatus(order, { itemId: 1, to: 'ready', viewerRole: 'staff', now }),
      allowed: allowedIn(order, 'waiter'),
    };
  };

  test('can go back to ready, and so can its items, for 15 minutes', () => {
    const { order, item, allowed } = change(15);
    expect(allowed).toEqual(['ready']);
    expect([order, item]).toMatchObject([
      { status: 'ready', deliveredAt: null, items: [{ deliveredAt: null }, { deliveredAt: null }] },
      { status: 'ready', deliveredAt: null, items: [{ status: 'ready' }, { status: 'delivered' }] },
    ]);
  });

  test('cannot go back, and neither can its items, after more than 15 minutes', () => {
    const { order, item, allowed } = change(15.1);
    expect([answerOf(order), answerOf(item), allowed]).toEqual([409, 409, []]);
  });
});

describe('what stations have seen and read', () => {
  type Reported = readonly string[] | null;
  const later = new Date(now.getTime() + 60_000);
  /** Returns an order for a kitchen dish and a bar drink, with an allergy, after these stations reported it at `now`. */
  const reported = (stations: Reported, at = now, order = twoStations): Order => {
    const seen = expectOrder(decideChange(order, { kind: 'seen', device: `${stations?.[0]}-1`, stations }, at));
    return expectOrder(decideChange(seen, { kind: 'allergies_read', stations }, at));
  };
  const base = orderOf(['received', 'received']);
  const items = base.items.map((item, index) => ({ ...item, station: index === 0 ? 'kitchen' : 'bar' }));
  const twoStations: Order = { ...base, items, allergies: 'peanuts' };
  const cancel = (order: Order, itemId: number): Order =>
    expectOrder(changeItemStatus(order, { itemId, to: 'cancelled', viewerRole: 'staff', now: later }));

  test.each<[string, Order, { kitchen: Date | null; bar: Date | null; all: Date | null; by: string | null }]>([
    ['no station', twoStations, { kitchen: null, bar: null, all: null, by: null }],
    ['the kitchen', reported(['kitchen']), { kitchen: now, bar: null, all: null, by: null }],
    ['both stations at once', reported(['kitchen', 'bar']), { kitchen: now, bar: now, all: now, by: 'kitchen-1' }],
    ['a screen from the previous release', reported(null), { kitchen: now, bar: now, all: now, by: 'undefined-1' }],
    ['the kitchen in another spelling', reported([' KITCHEN']), { kitchen: now, bar: null, all: null, by: null }],
    ['another station', reported(['grill']), { kitchen: null, bar: null, all: null, by: null }],
    [
      'the kitchen, and later the bar',
      reported(['bar'], later, reported(['kitchen'])),
      { kitchen: now, bar: later, all: later, by: 'bar-1' },
    ],
    [
      'the kitchen, and later a screen from the previous release',
      reported(null, later, reported(['kitchen'])),
      { kitchen: now, bar: later, all: later, by: 'undefined-1' },
    ],
    [
      'the kitchen, after which the drink was cancelled',
      cancel(reported(['kitchen']), 2),
      { kitchen: now, bar: null, all: now, by: 'kitchen-1' },
    ],
    [
      'the kitchen, after which the order was cancelled',
      expectOrder(changeOrderStatus(reported(['kitchen']), { to: 'cancelled', viewerRole: 'staff', now: later })),
      { kitchen: now, bar: null, all: null, by: null },
    ],
  ])('is shown per station and for the whole order after a report by %s', (_who, order, { kitchen, bar, all, by }) => {
    const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
    expect(toEventOrder(order)).toMatchObject({
      seen_at: iso(all),
      seen_on: by,
      allergies_read_at: iso(all),
      stations: [
        { station: 'kitchen', seen_at: iso(kitchen), allergies_read_at: iso(kitchen) },
        { station: 'bar', seen_at: iso(bar), allergies_read_at: iso(bar) },
      ],
    });
  });

  test('stays the same after a second report by a station, and never changes the tag', () => {
    const once = reported(['kitchen']);
    expect(reported(['kitchen'], later, once)).toBe(once);
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

  test('lets a waiter cancel its order only while it is delivered, and then stays delivered', () => {
    const [kept, back] = [returned(), returned('ready')];
    expect(itemStatuses(expectOrder(changeBy('waiter', kept, 'cancelled')))).toEqual(['delivered', 'cancelled']);
    expect([answerOf(changeBy('waiter', back, 'cancelled')), allowedIn(back, 'waiter')]).toEqual([
      403,
      ['delivered', 'preparing'],
    ]);
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
