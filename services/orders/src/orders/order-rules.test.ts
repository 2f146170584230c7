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

/** How callers are related to the order: the mate sits at its seating too, the stranger does not. */
const callers = {
  owner: { userId: 5, role: 'customer', seating: 88 },
  mate: { userId: 6, role: 'customer', seating: 88 },
  stranger: { userId: 7, role: 'customer' },
  waiter: { userId: 8, role: 'waiter' },
  manager: { userId: 9, role: 'manager' },
} as const;
type Role = keyof typeof callers;
const roles = Object.keys(callers) as Role[];

/** An order of the user with id 5, whose items of 10.00 have these statuses. */
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

/** What the caller gets who asks for `to`; null if the caller must not learn that the order exists. */
function changeBy(role: Role, order: Order, to: OrderStatus): ChangedOrder | null {
  const viewerRole = viewerRoleOf(order, callers[role]);
  return viewerRole && changeOrderStatus(order, { to, viewerRole, now });
}
const answerOf = (changed: ChangedOrder | null): number =>
  changed instanceof Problem ? changed.status : changed ? 200 : 404;
/** The transitions that the answer lists for this caller, or for a refusal the problem. */
function allowedIn(changed: ChangedOrder | null, role: Role): unknown {
  if (changed instanceof Problem) return changed.members['allowed_transitions'];
  const viewerRole = changed && viewerRoleOf(changed, callers[role]);
  return viewerRole ? toOrderResponse(changed, { viewerRole, now }).allowed_transitions : undefined;
}
function expectOrder(changed: ChangedOrder | null): Order {
  if (changed === null || changed instanceof Problem) throw new Error('The change was refused.');
  return changed;
}

/** Written by hand from the specification, and not from the code. */
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

describe('the status of an order', () => {
  test.each(combinations)(
    'when it is $from and the $role asks for $to, then the answer is $answer',
    ({ from, role, to, answer }) => {
      const before = orderOf([from]);

      const changed = changeBy(role, before, to);

      expect(answerOf(changed)).toBe(answer);
      const isListed = answer === 200 || answer === 409;
      const allowed = allowedIn(changed, role) as OrderStatus[] | undefined;
      // It was delivered once.
      const isLess = role === 'waiter' && from === 'delivered' && to === 'ready';
      const listed = expectedTransitions(role, answer === 200 ? to : from).filter(
        (next) => !isLess || next !== 'cancelled',
      );
      expect(allowed?.toSorted()).toEqual(isListed ? listed : undefined);
    },
  );

  test.each(combinations.filter(({ from, to, answer }) => answer === 200 && from === to))(
    'when it is $from and the $role asks for the same again, then nothing changes',
    ({ from, role, to }) => {
      const before = orderOf([from]);
      expect(changeBy(role, before, to)).toBe(before);
    },
  );

  test.each(combinations.filter(({ from, to, answer }) => answer === 200 && from !== to))(
    'when it is $from and the $role changes it to $to, then its item follows, in a new version',
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
  )(
    'when it is $from and the $role reads it, then allowed_transitions lists what this caller may do',
    ({ from, role }) => {
      const allowed = allowedIn(orderOf([from]), role) as OrderStatus[];
      expect(allowed.toSorted()).toEqual(expectedTransitions(role, from));
    },
  );
});

describe('the status of an item', () => {
  const rows = statuses.flatMap((from) =>
    statuses.map((to) => ({ from, to, answer: expectedAnswer('waiter', from, to) })),
  );
  /** A second item stays received, so that the status of the order does not decide. */
  const change = (before: Order, to: OrderStatus) =>
    changeItemStatus(before, { itemId: 1, to, viewerRole: 'staff', now });

  test.each(rows)('when it is $from and staff ask for $to, then the answer is $answer', ({ from, to, answer }) => {
    expect(answerOf(change(orderOf([from, 'received']), to))).toBe(answer);
  });

  test.each(rows.filter(({ answer }) => answer === 200))(
    'when it is $from and staff change it to $to, then the other item stays',
    ({ from, to }) => {
      expect(itemStatuses(expectOrder(change(orderOf([from, 'received']), to)))).toEqual([to, 'received']);
    },
  );

  test.each(statuses)('when it is %s and staff ask for the same again, then nothing changes', (status) => {
    const before = orderOf([status, 'received']);
    expect(change(before, status)).toBe(before);
  });

  test('when the order has no such item, then the answer is 404', () => {
    expect(
      answerOf(changeItemStatus(orderOf(['received']), { itemId: 2, to: 'preparing', viewerRole: 'staff', now })),
    ).toBe(404);
  });
});

describe('the status of an order follows from its items', () => {
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
  ])('when the items become %j, then the order is %s and its total is %s', (targets, status, total) => {
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

describe('a change of the order changes its items', () => {
  const change = (before: readonly OrderStatus[], to: OrderStatus) =>
    changeOrderStatus(orderOf(before), { to, viewerRole: 'staff', now });

  test.each<{ what: string; before: OrderStatus[]; to: OrderStatus; status: OrderStatus; after: OrderStatus[] }>([
    {
      what: 'the order goes forward, then the items behind it go along',
      before: ['preparing', 'received', 'delivered', 'cancelled'],
      to: 'ready',
      status: 'ready',
      after: ['ready', 'ready', 'delivered', 'cancelled'],
    },
    {
      what: 'the order goes back, then the items with its status go back',
      before: ['preparing', 'received', 'cancelled'],
      to: 'received',
      status: 'received',
      after: ['received', 'received', 'cancelled'],
    },
    {
      what: 'one item is delivered and the order is cancelled, then the order is delivered',
      before: ['delivered', 'preparing'],
      to: 'cancelled',
      status: 'delivered',
      after: ['delivered', 'cancelled'],
    },
  ])('when $what', ({ before, to, status, after }) => {
    const order = expectOrder(change(before, to));
    expect([order.status, itemStatuses(order)]).toEqual([status, after]);
  });

  test('when an item is further than the order, then the order cannot go back', () => {
    const changed = change(['ready', 'received', 'cancelled'], 'received');
    expect([answerOf(changed), allowedIn(changed, 'waiter')]).toEqual([409, ['ready', 'cancelled']]);
  });
});

describe('back from delivered', () => {
  const change = (minutes: number) => {
    const order = orderOf(['delivered', 'delivered'], minutesAgo(minutes));
    return {
      order: changeOrderStatus(order, { to: 'ready', viewerRole: 'staff', now }),
      item: changeItemStatus(order, { itemId: 1, to: 'ready', viewerRole: 'staff', now }),
      allowed: allowedIn(order, 'waiter'),
    };
  };

  test('when it was delivered 15 minutes ago, then the order and an item can go back to ready', () => {
    const { order, item, allowed } = change(15);
    expect(allowed).toEqual(['ready']);
    expect([order, item]).toMatchObject([
      { status: 'ready', deliveredAt: null, items: [{ deliveredAt: null }, { deliveredAt: null }] },
      { status: 'ready', deliveredAt: null, items: [{ status: 'ready' }, { status: 'delivered' }] },
    ]);
  });

  test('when it was delivered more than 15 minutes ago, then neither the order nor an item can go back', () => {
    const { order, item, allowed } = change(15.1);
    expect([answerOf(order), answerOf(item), allowed]).toEqual([409, 409, []]);
  });
});

describe('what stations have seen and read', () => {
  type Reported = readonly string[] | null;
  const later = new Date(now.getTime() + 60_000);
  /** The order of a dish of the kitchen and a drink of the bar, with an allergy, after a report of stations at `now`. */
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
    ['nobody', twoStations, { kitchen: null, bar: null, all: null, by: null }],
    ['the kitchen', reported(['kitchen']), { kitchen: now, bar: null, all: null, by: null }],
    ['both at once', reported(['kitchen', 'bar']), { kitchen: now, bar: now, all: now, by: 'kitchen-1' }],
    ['a screen of the last release', reported(null), { kitchen: now, bar: now, all: now, by: 'undefined-1' }],
    [
      'the kitchen, as somebody else writes it',
      reported([' KITCHEN']),
      { kitchen: now, bar: null, all: null, by: null },
    ],
    ['another station', reported(['grill']), { kitchen: null, bar: null, all: null, by: null }],
    [
      'the kitchen, and later the bar',
      reported(['bar'], later, reported(['kitchen'])),
      { kitchen: now, bar: later, all: later, by: 'bar-1' },
    ],
    [
      'the kitchen, and later a screen of the last release',
      reported(null, later, reported(['kitchen'])),
      { kitchen: now, bar: later, all: later, by: 'undefined-1' },
    ],
    [
      'the kitchen, and the drink was cancelled',
      cancel(reported(['kitchen']), 2),
      { kitchen: now, bar: null, all: now, by: 'kitchen-1' },
    ],
    [
      'the kitchen, and all was cancelled',
      expectOrder(changeOrderStatus(reported(['kitchen']), { to: 'cancelled', viewerRole: 'staff', now: later })),
      { kitchen: now, bar: null, all: null, by: null },
    ],
  ])('an order that %s has reported says so of each station, and of all', (_who, order, { kitchen, bar, all, by }) => {
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

  test('a second report of a station changes nothing, and no report changes the tag', () => {
    const once = reported(['kitchen']);
    expect(reported(['kitchen'], later, once)).toBe(once);
    expect([once.version, tagOf(once)]).toEqual([twoStations.version + 2, tagOf(twoStations)]);
  });
});

describe('what was once delivered', () => {
  /** The first dish was delivered, and went back; the second one never was. */
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
  ])('when a dish is %s again, then a waiter cannot cancel it, and a manager can', (status, steps) => {
    const order = returned(...steps);
    expect(itemStatuses(order)).toEqual([status, 'ready']);
    expect(answerOf(cancelItem(order, 1, 'waiter'))).toBe(403);
    expect(itemStatuses(expectOrder(cancelItem(order, 1, 'manager')))).toEqual(['cancelled', 'ready']);
    expect(itemStatuses(expectOrder(cancelItem(order, 2, 'waiter')))).toEqual([status, 'cancelled']);
  });

  test('when its order is cancelled, then a waiter can do so only while the dish is delivered, and stays', () => {
    const [kept, back] = [returned(), returned('ready')];
    expect(itemStatuses(expectOrder(changeBy('waiter', kept, 'cancelled')))).toEqual(['delivered', 'cancelled']);
    expect([answerOf(changeBy('waiter', back, 'cancelled')), allowedIn(back, 'waiter')]).toEqual([
      403,
      ['delivered', 'preparing'],
    ]);
    expect(itemStatuses(expectOrder(changeBy('manager', back, 'cancelled')))).toEqual(['cancelled', 'cancelled']);
    expect(allowedIn(back, 'manager')).toContain('cancelled');
  });

  test('when all of an order is delivered, then a manager cancels all of it', () => {
    const order = orderOf(['delivered', 'delivered'], minutesAgo(60));
    expect(answerOf(changeBy('waiter', order, 'cancelled'))).toBe(403);
    expect(itemStatuses(expectOrder(changeBy('manager', order, 'cancelled')))).toEqual(['cancelled', 'cancelled']);
  });
});

describe('the portions of cancelled items', () => {
  test.each<[OrderStatus, number]>([
    ['received', 2],
    ['preparing', 0],
    ['ready', 0],
  ])('when items are cancelled that are %s, then %i portions go back', (status, portions) => {
    const before = orderOf([status, status]);
    const after = expectOrder(changeOrderStatus(before, { to: 'cancelled', viewerRole: 'staff', now }));
    expect([...portionsReturned(before, after)]).toEqual(portions === 0 ? [] : [[70, portions]]);
  });
});
