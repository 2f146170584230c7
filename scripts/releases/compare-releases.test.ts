import { beforeAll, describe, expect, test } from '@jest/globals';
import { findBreaks, findPredecessors } from './compare-releases.ts';
import { describeRelease } from './describe-release.ts';
import { nextVersion, services, type Release } from './release.ts';

type Value = object | string | number | boolean | null | undefined;
type Node = Record<string, Value>;
/**
 * Returns the release with a changed value at a path such as `schemas|Order|required`. If `change` returns no value, the path is
 * removed.
 */
function changed(release: Release, path: string, change: (value: unknown) => Value): Release {
  const copy = structuredClone(release);
  const names = path.split('|');
  const last = names.pop() ?? '';
  const parent = names.reduce(
    (node, name) => {
      if (!(name in node)) throw new Error(`${path}: there is no ${name}.`);
      return node[name] as Node;
    },
    copy as unknown as Node,
  );
  const value = change(parent[last]);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
const without = () => undefined;
const set = (value: Value) => () => value;
const plus = (value: Value) => (values: unknown) => [...(values as Value[]), value];
const minus = (value: Value) => (values: unknown) => (values as Value[]).filter((each) => each !== value);
const renamed = (name: string, other: string) => (record: unknown) => {
  const { [name]: value, ...others } = record as Node;
  return { ...others, [other]: value };
};

const placeOrder = 'calls|POST /orders';
const order = 'schemas|Order|properties';
const document = 'stored|pedidos|documents';
const indexes = 'stored|pedidos|indexes';
const inOrder = (what: string): string => `total of the answer 200 of GET /orders/{id} ${what}.`;

/** Each kind of breaking change, applied to the orders service as an example. */
const breaks: [kind: string, path: string, change: (value: unknown) => Value, sentence: string][] = [
  [
    'a removed call',
    'calls|GET /orders',
    without,
    'GET /orders is gone, and callers of the last release make this call.',
  ],
  [
    'a role that may no longer call',
    `calls|GET /orders|who`,
    minus('waiter'),
    'GET /orders may no longer be called by waiter.',
  ],
  [
    'a call that needs consent',
    `${placeOrder}|demands`,
    plus('a step-up token for order'),
    'POST /orders needs a step-up token for order now.',
  ],
  [
    'a lost header',
    `${placeOrder}|headers`,
    minus('Idempotency-Key'),
    'POST /orders has lost the header Idempotency-Key.',
  ],
  [
    'another status of an answer',
    `${placeOrder}|answers`,
    renamed('201', '202'),
    'POST /orders may answer 202 now, which earlier callers do not know.',
  ],
  ['a removed member of an answer', `${order}|total`, without, inOrder('is gone, and earlier readers rely on it')],
  [
    'a member of an answer that may be missing',
    'schemas|Order|required',
    minus('total'),
    inOrder('may be missing now, and earlier readers rely on it'),
  ],
  [
    'a member of an answer that may be null',
    `${order}|total|type`,
    set(['string', 'null']),
    inOrder('was string and is string or null now'),
  ],
  [
    'a wider enum of an answer',
    'schemas|OrderStatus|enum',
    plus('burnt'),
    'status of the answer 200 of GET /orders/{id} may be "burnt" now, which earlier readers do not know.',
  ],
  [
    'a narrower enum of a query',
    'schemas|OrderStatus|enum',
    minus('cancelled'),
    'status of the body of PUT /orders/{id} no longer accepts "cancelled".',
  ],
  [
    'a removed member of a body',
    `${placeOrder}|body|properties|seating`,
    without,
    'seating of the body of POST /orders is gone: a call that has it is refused.',
  ],
  [
    'a member of a body that is required',
    `${placeOrder}|body|required`,
    plus('table'),
    'table of the body of POST /orders is required now, and earlier callers need not send it.',
  ],
  [
    'a body that may no longer be missing',
    'calls|PUT /orders/{id}/allergies-read|mayOmitBody',
    without,
    'PUT /orders/{id}/allergies-read needs a body now.',
  ],
  [
    'a narrower limit',
    `${placeOrder}|body|properties|items|maxItems`,
    set(20),
    'items of the body of POST /orders has the maxItems 20 now, and had 50.',
  ],
  [
    'another pattern',
    `${placeOrder}|body|properties|table|pattern`,
    set('^[0-9]+$'),
    'table of the body of POST /orders has another pattern: what was accepted may be refused.',
  ],
  [
    'a form of a member that is refused',
    'schemas|OrderLine|oneOf',
    (forms) => (forms as Value[]).slice(0, 1),
    'items[] of the body of POST /orders no longer accepts one of its forms.',
  ],
  [
    'a removed member of a problem',
    'problems|menu_item_unavailable|members|properties|items|items|properties|name',
    without,
    'items[].name of the problem menu_item_unavailable is gone, and earlier readers rely on it.',
  ],
  [
    'another status of a problem',
    'problems|not_found|status',
    set(410),
    'The problem not_found had the status 404, and has 410 now.',
  ],
  [
    'a removed event',
    'events|order.seen',
    without,
    'order.seen is gone, and receivers of the last release wait for it.',
  ],
  [
    'another audience of an event',
    'events|order.seen|audience',
    set('user'),
    'The audience of order.seen was order and is user now.',
  ],
  [
    'a removed member of an event',
    'events|seating.closed|data|properties|table',
    without,
    'table of the event seating.closed is gone, and earlier readers rely on it.',
  ],
  [
    'a renamed collection',
    'stored',
    renamed('pedidos', 'orders'),
    'pedidos is gone, and the last release reads this collection.',
  ],
  [
    'a renamed stored field',
    `${document}|properties`,
    renamed('table', 'mesa'),
    'table of the documents of pedidos is gone, and the last release reads it.',
  ],
  [
    'another type of a stored field',
    `${document}|properties|status|bsonType`,
    set('number'),
    'status of the documents of pedidos was string and is number now.',
  ],
  [
    'a new stored field that is required',
    `${document}|required`,
    plus('table'),
    'table of the documents of pedidos is required now, and earlier documents lack it.',
  ],
  [
    'a changed index',
    `${indexes}|orders_of_bill`,
    set({ key: { bill_id: 1 }, unique: true }),
    'The index orders_of_bill of pedidos has other keys or options: give the new one another name.',
  ],
  [
    'a renamed index',
    indexes,
    renamed('orders_of_bill', 'bill'),
    'The index orders_of_bill of pedidos is named bill now: the last release cannot start beside it.',
  ],
  [
    'a setting that is required',
    'settings|PORT',
    set('required'),
    'The setting PORT is required now, and installations of the last release lack it.',
  ],
];

/** Changes that the next release may contain while the last release still runs alongside it. */
const extensions: [kind: string, path: string, change: (value: unknown) => Value][] = [
  ['a new call', 'calls', (calls) => ({ ...(calls as Node), 'GET /orders/late': (calls as Node)['GET /orders'] })],
  ['a role that may call too', 'calls|GET /orders|who', plus('cook')],
  ['a new member of an answer', `${order}|smoke`, set({ type: 'string' })],
  ['a new member of a body that need not be sent', `${placeOrder}|body|properties|smoke`, set({ type: 'string' })],
  ['a wider limit', `${placeOrder}|body|properties|items|maxItems`, set(80)],
  [
    'a removed member of a call between services, which takes members that it does not know',
    'calls|POST /internal/ended-seatings|body|properties|into',
    without,
  ],
  ['a new problem code', `${placeOrder}|problems`, plus('too_hot')],
  ['a new event', 'events', (events) => ({ ...(events as Node), 'order.burnt': (events as Node)['order.seen'] })],
  ['a new stored field that may be missing', `${document}|properties|smoke`, set({ bsonType: 'bool' })],
  ['a value that may be stored in a later release', `${document}|properties|status|enum`, plus('burnt')],
  ['a new index', `${indexes}|smoke`, set({ key: { smoke: 1 } })],
  ['a setting with a default', 'settings|SMOKE', set('optional')],
];

describe('the comparison with the last release', () => {
  let orders: Release;
  beforeAll(async () => {
    orders = await describeRelease('orders');
  });

  test.each(breaks)('describes %s in the next release', (...row) => {
    const [, path, change, sentence] = row;
    expect(findBreaks({ was: orders, is: changed(orders, path, change) })).toContain(sentence);
  });

  test.each(extensions)('accepts %s in the next release', (_kind, path, change) => {
    expect(findBreaks({ was: orders, is: changed(orders, path, change) })).toEqual([]);
  });

  test('lists the services that must be released first', async () => {
    // Pretends that this tree has been released, because it may contain other new calls.
    const released = await Promise.all(services.map(async (name) => [name, await describeRelease(name)] as const));
    const last = new Map(released);
    const next = changed(orders, 'needs|gateway', plus('forwards GET /orders/late'));

    expect(findPredecessors(next, last)).toEqual([
      'gateway must be released first: the last one does not say that it forwards GET /orders/late.',
    ]);
    const gateway = changed(await describeRelease('gateway'), 'provides', plus('forwards GET /orders/late'));
    expect(findPredecessors(next, new Map(last).set('gateway', gateway))).toEqual([]);
  });

  test('resets the lower parts of a version when a higher part increases', () => {
    expect((['major', 'minor', 'patch'] as const).map((step) => nextVersion('1.9.4', step))).toEqual([
      '2.0.0',
      '1.10.0',
      '1.9.5',
    ]);
  });
});
