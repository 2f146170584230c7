import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-bill-states');
  dish = await harness.createDish({ price: '10.00' });
  const body = { service_charge: { rate: '10.00', optional: true }, waiter_discount_limit: '20.00' };
  await harness.manager('PUT', '/restaurant', { body });
});
afterAll(() => harness.close());

const states = ['open', 'partly paid', 'paid', 'closed', 'merged'] as const;
const people = ['guest', 'customer of the table', 'another customer', 'waiter', 'manager'] as const;
type State = (typeof states)[number];
type Person = (typeof people)[number];
/**
 * A bill for 33.00 (`id`) and a second bill (`other`). `payment`: the id of its cash payment, or 1 if it has none. `rest`: the
 * amount left to pay.
 */
type Opened = { id: number; other: number; payment: number; rest: string; as: Record<Person, Call> };

let lastId = 20_000;
async function billIn(state: State): Promise<Opened> {
  const [seating, sub] = [++lastId, lastId];
  const seat = { role: 'customer', table: '12', seating } as const;
  const as: Opened['as'] = {
    guest: harness.as({ ...seat, sub }),
    'customer of the table': harness.as({ ...seat, sub: sub + 100_000, guest: false }),
    'another customer': harness.as({ sub: sub + 200_000, role: 'customer' }),
    waiter: harness.waiter,
    manager: harness.manager,
  };
  const order = async (call: Call, body: object = {}): Promise<number> =>
    created(await call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 3 }], ...body } })).bill_id;
  const [id, other] = [await order(as.guest), await order(harness.waiter, { table: '3' })];
  const opened = { id, other, payment: 1, rest: state === 'partly paid' ? '22.00' : '33.00', as };
  for (const [what, body] of stepsTo[state](opened)) {
    const { status, body: response } = await harness.waiter('POST', `/bills/${id}/${what}`, { body });
    expect(status).toBeLessThan(300);
    if (what === 'payments') opened.payment = response.id as number;
  }
  return opened;
}
const inCash = (part: object, amount: string): [string, object] => [
  'payments',
  { method: 'cash', part, expected_amount: amount },
];
const stepsTo: Record<State, (opened: Opened) => [string, object][]> = {
  open: () => [],
  'partly paid': () => [inCash({ amount: '11.00' }, '11.00')],
  paid: () => [inCash({ rest: true }, '33.00')],
  closed: () => [inCash({ rest: true }, '33.00'), ['close', {}]],
  merged: ({ other }) => [['merge', { into: other }]],
};

/**
 * A call to a bill, and the expected responses. `in`: the response in each of the `states`, for people who may make the call. A
 * person's own entry replaces `in`.
 */
type Row = { call: (opened: Opened) => [method: string, path: string, body?: object]; in: string[] } & {
  [person in Person]?: string | string[];
};
const notOpen = '409 bill_not_open';
const staffOnly = {
  guest: '403 forbidden',
  'customer of the table': '403 forbidden',
  'another customer': '403 forbidden',
} as const;
/** Every call to a bill, with the expected responses. Each list has one response per state, in the order of `states`. */
const table: Record<string, Row> = {
  'it is read': {
    call: () => ['GET', ''],
    in: ['200', '200', '200', '200', '200'],
    'another customer': '404 not_found',
  },
  'its history is read': {
    call: () => ['GET', '/history'],
    in: ['200', '200', '200', '200', '200'],
    ...staffOnly,
  },
  'the rest is paid in cash': {
    call: ({ rest }) => ['POST', '/payments', { method: 'cash', part: { rest: true }, expected_amount: rest }],
    in: ['201', '201', '409 nothing_to_pay', notOpen, notOpen],
    ...staffOnly,
  },
  'the rest is reserved, to be paid from an account': {
    call: ({ rest }) => ['POST', '/payments', { method: 'account', part: { rest: true }, expected_amount: rest }],
    in: ['201', '201', '409 nothing_to_pay', notOpen, notOpen],
    guest: '403 account_required',
    'another customer': '404 not_found',
    waiter: '403 forbidden',
    manager: '403 forbidden',
  },
  'a payment is refunded': {
    call: ({ payment }) => ['POST', `/payments/${payment}/refund`, { reason: 'Wrong table' }],
    in: ['404 not_found', '200', '200', '200', '404 not_found'],
    waiter: ['404 not_found', '200', '200', '403 forbidden', '404 not_found'],
    ...staffOnly,
  },
  'a discount is given': {
    call: () => ['POST', '/discounts', { amount: '1.00', reason: 'Cold' }],
    in: ['201', '201', '409 bill_overpaid', notOpen, notOpen],
    ...staffOnly,
  },
  'the service charge is declined': {
    call: () => ['PUT', '/service-charge', { included: false }],
    in: ['200', '409 bill_has_payments', '409 bill_has_payments', notOpen, notOpen],
    'another customer': '404 not_found',
  },
  'it moves to another table': {
    call: () => ['PUT', '/table', { table: '7' }],
    in: ['200', '200', '200', notOpen, notOpen],
    ...staffOnly,
  },
  'it is merged': {
    call: ({ other }) => ['POST', '/merge', { into: other }],
    in: ['200', '409 bill_has_payments', '409 bill_has_payments', notOpen, '200'],
    ...staffOnly,
  },
  'it is closed': {
    call: () => ['POST', '/close', {}],
    in: ['409 bill_unsettled', '409 bill_unsettled', '200', '200', notOpen],
    ...staffOnly,
  },
  'it is reopened': {
    call: () => ['POST', '/reopen', { reason: 'A dish was missing' }],
    in: ['200', '200', '200', '200', notOpen],
    waiter: '403 forbidden',
    ...staffOnly,
  },
};

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const readBill = async (id: number) => (await harness.manager('GET', `/bills/${id}`)).body;

describe.each(Object.entries(table))('when %s', (_what, row) => {
  test.each(states)('each person gets the response in the table for a bill that is %s', async (state) => {
    const index = states.indexOf(state);
    const answered: Record<string, string> = {};
    const expected: Record<string, string> = {};
    let unchanged: Opened | undefined; // reused until a call changes it, because creating one takes up to six calls
    for (const person of people) {
      const opened: Opened = unchanged ?? (await billIn(state));
      const before = await readBill(opened.id);
      const [method, path, body] = row.call(opened);
      const response: Called = await opened.as[person](method, `/bills/${opened.id}${path}`, body && { body });
      const after = await readBill(opened.id);

      answered[person] = codeOf(response);
      const outcome = row[person] ?? row.in;
      expected[person] = (Array.isArray(outcome) ? outcome[index] : outcome) ?? '';
      const [total, ...parts] = [after.total, after.paid, after.reserved, after.remaining].map(cents);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
      expect(response.status >= 400 ? after : before).toEqual(before);
      unchanged = isDeepStrictEqual(after, before) ? opened : undefined;
    }
    expect(answered).toEqual(expected);
  });
});
