import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let feijoada: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-cash-drawers');
  feijoada = await harness.createDish({ name: 'Feijoada', price: '30.00' });
});
afterAll(() => harness.close());

const marta = { id: 900_001, name: 'Marta' };
const wanda = { id: 900_002, name: 'Wanda' };
let drawers = 0;
const putDrawer = (name: string, body: object = {}) => harness.manager('PUT', `/cash-drawers/${name}`, { body });
async function newDrawer(): Promise<string> {
  const name = `drawer-${++drawers}`;
  expect((await putDrawer(name)).status).toBe(201);
  return name;
}
const send = (path: string, body: object, { call = harness.manager, key = randomUUID() } = {}) =>
  call('POST', path, { body, headers: { 'Idempotency-Key': key } });
const move = async (name: string, body: object): Promise<Json> => {
  const moved = await send(`/cash-drawers/${name}/movements`, { reason: 'Ice', ...body });
  expect(codeOf(moved)).toBe('201');
  return moved.body;
};
const count = async (
  name: string,
  counted: string,
  { call = harness.manager, ...body }: { call?: Call; left?: string; to?: string } = {},
): Promise<Json> => {
  // On a busy machine, a count that would take too long is 503.
  return created(await patient(call)('POST', `/cash-drawers/${name}/counts`, { body: { counted, ...body } }));
};
const find = async (name: string): Promise<Json> =>
  (await harness.waiter('GET', '/cash-drawers')).body.find((each: Json) => each.name === name);
/** Pays a new bill of 30.00. */
async function pay(body: object = {}, call = harness.waiter): Promise<Json> {
  const order = await harness.waiter('POST', '/orders', { body: { items: [{ item_id: feijoada, quantity: 1 }] } });
  const { total } = (await harness.waiter('GET', `/bills/${order.body.bill_id}`)).body;
  const paid = { method: 'cash', part: { rest: true }, expected_amount: total, ...body };
  return send(`/bills/${order.body.bill_id}/payments`, paid, { call });
}
const refund = ({ bill_id: bill, id }: Json, body: object = {}, call = harness.manager) =>
  call('POST', `/bills/${bill}/payments/${id}/refund`, { body: { reason: 'Twice', ...body } });
const stored = (filter: object) => harness.db.collection('movements').find(filter).sort({ _id: 1 }).toArray();

describe('a cash drawer', () => {
  test('is added, renamed, retired and brought back', async () => {
    const name = await newDrawer();
    const row = { name, label: name, status: 'active', counted_at: null, moved: false };

    expect(await find(name)).toEqual(row);
    expect((await putDrawer(name, { label: 'Bar' })).body).toEqual({ ...row, label: 'Bar' });
    expect((await putDrawer(name, { status: 'retired' })).body).toEqual({ ...row, label: 'Bar', status: 'retired' });
    expect((await putDrawer(name, {})).body).toMatchObject({ status: 'retired' });
    expect((await putDrawer(name, { status: 'active' })).status).toBe(200);
  });

  test('called main always exists and is never retired', async () => {
    expect(await find('main')).toMatchObject({ status: 'active' });
    expect(codeOf(await putDrawer('main', { status: 'retired' }))).toBe('422 unprocessable_content');
    expect(codeOf(await putDrawer('Main'))).toBe('400 validation_failed');
  });

  test('is not retired while something moved or was left in it', async () => {
    const name = await newDrawer();
    await move(name, { kind: 'float', amount: '50' });
    const retire = () => putDrawer(name, { status: 'retired' });
    const moved = codeOf(await retire());
    await count(name, '50.00');
    const left = codeOf(await retire());
    await count(name, '50.00', { left: '0' });

    expect([moved, left, codeOf(await retire())]).toEqual([
      '409 cash_drawer_not_empty',
      '409 cash_drawer_not_empty',
      '200',
    ]);
  });

  test('that is retired takes no money', async () => {
    const [name, other] = [await newDrawer(), await newDrawer()];
    const [{ id: reverses }] = await move(name, { kind: 'float', amount: '5' });
    await count(name, '5', { left: '0' });
    await putDrawer(name, { status: 'retired' });
    const body = { kind: 'float', amount: '1', reason: 'Change' };
    const answers = [
      await send(`/cash-drawers/${name}/movements`, body),
      await send(`/cash-drawers/${name}/movements`, { reverses, reason: 'Wrong' }),
      await send(`/cash-drawers/${other}/movements`, { ...body, other: name }),
      await send(`/cash-drawers/${name}/counts`, { counted: '0' }),
      await send(`/cash-drawers/${other}/counts`, { counted: '0', to: name }),
      await pay({ cash_drawer: name }),
      await pay({ cash_drawer: 'unknown' }),
      await refund((await pay({ method: 'card' })).body, { method: 'cash', cash_drawer: name }),
    ];
    expect(answers.map(codeOf)).toEqual(Array(8).fill('422 unprocessable_content'));
  });
});

describe('a payment', () => {
  test('writes one movement, and its refund the opposite', async () => {
    const name = await newDrawer();
    const { body: payment } = await pay({ cash_drawer: name, tip: '5.00' });
    expect(payment.cash_drawer).toBe(name);
    await refund(payment);
    await refund(payment);

    const [paid, refunded, ...others] = await stored({ payment_id: payment.id });
    expect(others).toEqual([]);
    expect([String(paid?.['amount']), String(paid?.['tip'])]).toEqual(['30.00', '5.00']);
    expect([String(refunded?.['amount']), String(refunded?.['tip'])]).toEqual(['-30.00', '-5.00']);
    expect(paid).toMatchObject({ kind: 'payment', day: 1, cash_drawer: name, by: wanda, bill_id: payment.bill_id });
    expect(refunded).toMatchObject({ kind: 'refund', cash_drawer: name, by: marta, reason: 'Twice' });
  });

  test('in cash goes into main by default, others into none', async () => {
    const [cash, card] = [(await pay()).body, (await pay({ method: 'card' })).body];

    expect([cash.cash_drawer, card.cash_drawer]).toEqual(['main', null]);
    expect(codeOf(await pay({ method: 'card', cash_drawer: 'main' }))).toBe('400 validation_failed');
    expect(await stored({ payment_id: card.id })).toMatchObject([{ method: 'card', cash_drawer: null }]);
  });

  test('by card is refunded from main in cash, or from the cash drawer that the manager names', async () => {
    const name = await newDrawer();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => pay({ method: 'card' })));
    await refund(first.body, { method: 'cash' });
    await refund(second.body, { method: 'cash', cash_drawer: name });

    expect(codeOf(await refund(third.body, { cash_drawer: name }))).toBe('422 unprocessable_content');
    const refunds = await stored({ payment_id: { $in: [first.body.id, second.body.id] }, kind: 'refund' });
    expect(refunds).toMatchObject([
      { method: 'cash', cash_drawer: 'main' },
      { method: 'cash', cash_drawer: name },
    ]);
  });

  test('is refunded from main if its cash drawer is retired', async () => {
    const name = await newDrawer();
    const { body: payment } = await pay({ cash_drawer: name });
    await count(name, '30.00', { left: '0' });
    await putDrawer(name, { status: 'retired' });
    await refund(payment);

    expect(await stored({ payment_id: payment.id, kind: 'refund' })).toMatchObject([{ cash_drawer: 'main' }]);
  });
});

describe('a movement by hand', () => {
  test('is money in or out by its kind', async () => {
    const name = await newDrawer();
    const all = [];
    for (const kind of ['float', 'pay_in', 'pay_out', 'drop', 'tip_out'])
      all.push(...(await move(name, { kind, amount: '12.5' })));

    expect(all.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      'float 12.50',
      'pay_in 12.50',
      'pay_out -12.50',
      'drop -12.50',
      'tip_out -12.50',
    ]);
    expect(all[0]).toMatchObject({ day: 1, method: 'cash', confirmed_by: null, tip: '0.00', by: marta, reason: 'Ice' });
    const { body: listed } = await harness.manager('GET', `/cash-drawers/${name}/movements?limit=2`);
    expect(listed).toEqual([all[4], all[3]]);
  });

  test('with the cash drawer on the other side is a pair', async () => {
    const [name, safe] = [await newDrawer(), await newDrawer()];
    const [out, into] = await move(name, { kind: 'drop', amount: '20', other: safe });

    expect(out).toMatchObject({ cash_drawer: name, amount: '-20.00', other: safe });
    expect(into).toMatchObject({ id: out.id + 1, cash_drawer: safe, amount: '20.00', other: name });
    expect([(await find(name)).moved, (await find(safe)).moved]).toEqual([true, true]);
  });

  test.each([
    ['a pay-in with another side', { kind: 'pay_in', amount: '1', other: 'main' }, '400 validation_failed'],
    ['an amount of zero', { kind: 'pay_in', amount: '0.00' }, '400 validation_failed'],
    ['a kind and a reversal', { kind: 'pay_in', amount: '1', reverses: 1 }, '400 validation_failed'],
    ['a kind that no one enters', { kind: 'payment', amount: '1' }, '400 validation_failed'],
    ['an unknown other side', { kind: 'float', amount: '1', other: 'no-such' }, '422 unprocessable_content'],
    ['itself as the other side', { kind: 'float', amount: '1', other: 'main' }, '422 unprocessable_content'],
    ['an unknown movement to reverse', { reverses: 987_654_321 }, '404 not_found'],
  ])('is rejected with %s', async (_what, body, code) => {
    expect(codeOf(await send('/cash-drawers/main/movements', { reason: 'Test', ...body }))).toBe(code);
  });

  test('is entered once for an idempotency key', async () => {
    const [name, safe] = [await newDrawer(), await newDrawer()];
    const key = randomUUID();
    const body = { kind: 'drop', amount: '7', other: safe, reason: 'Safe' };
    const path = `/cash-drawers/${name}/movements`;
    const [first, again] = [await send(path, body, { key }), await send(path, body, { key })];
    const other = await send(path, { ...body, amount: '8' }, { key });

    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(codeOf(other)).toBe('422 idempotency_key_reused');
    expect(await stored({ cash_drawer: name })).toHaveLength(1);
  });

  test('is reversed once with its pair, from either side', async () => {
    const [name, safe] = [await newDrawer(), await newDrawer()];
    await move(name, { kind: 'drop', amount: '20', other: safe });
    const [out, into] = await move(name, { kind: 'drop', amount: '20', other: safe });
    const reverse = (drawer: string, id: number) =>
      send(`/cash-drawers/${drawer}/movements`, { reverses: id, reason: 'Wrong' });

    const elsewhere = await reverse(await newDrawer(), into.id);
    const { body: reversed } = await reverse(name, into.id);
    const [again, otherSide, ofReversal] = [
      await reverse(safe, into.id),
      await reverse(name, out.id),
      await reverse(safe, reversed[0].id),
    ];
    expect(codeOf(elsewhere)).toBe('404 not_found');
    expect(reversed).toMatchObject([
      { cash_drawer: safe, amount: '-20.00', reverses: into.id, other: name, kind: 'drop', reason: 'Wrong' },
      { cash_drawer: name, amount: '20.00', reverses: out.id, other: safe, kind: 'drop', reason: 'Wrong' },
    ]);
    expect([again, otherSide, ofReversal].map(codeOf)).toEqual(Array(3).fill('409 movement_not_reversible'));
  });

  test('is not reversed after a count of either cash drawer', async () => {
    const [name, safe] = [await newDrawer(), await newDrawer()];
    const [out] = await move(name, { kind: 'float', amount: '20', other: safe });
    await count(safe, '0');
    const body = { reverses: out.id, reason: 'Wrong' };

    expect(codeOf(await send(`/cash-drawers/${name}/movements`, body))).toBe('409 movement_not_reversible');
  });
});

describe('a count', () => {
  test('compares what was counted with what should be there', async () => {
    const name = await newDrawer();
    await move(name, { kind: 'float', amount: '100' });
    await pay({ cash_drawer: name, tip: '2.00' });
    const first = await count(name, '130.00', { left: '50.00' });
    await move(name, { kind: 'pay_out', amount: '10' });
    const second = await count(name, '40.00');

    expect(first).toMatchObject({
      day: 1,
      expected: '132.00',
      difference: '-2.00',
      left: '50.00',
      to: null,
      by: marta,
    });
    expect(second).toMatchObject({ expected: '40.00', difference: '0.00', left: '40.00' });
    expect(await stored({ cash_drawer: name, _id: { $gt: first.id - 4, $lt: first.id } })).toMatchObject([
      { kind: 'difference', by: marta, reason: null, other: null },
      { kind: 'drop', by: marta, reason: null, other: null },
    ]);
    const { body: counts } = await harness.manager('GET', `/cash-drawers/${name}/counts`);
    expect(counts).toEqual([second, first]);
    expect((await harness.manager('GET', `/cash-drawers/${name}/movements`)).body).toEqual([]);
    expect(await find(name)).toMatchObject({ counted_at: second.at, moved: false });
  });

  test('gives the rest to another cash drawer', async () => {
    const [bag, safe] = [await newDrawer(), await newDrawer()];
    await pay({ cash_drawer: bag });
    await count(safe, '0');
    const { id } = await count(bag, '30.00', { left: '10.00', to: safe });

    expect(await stored({ _id: { $gt: id - 4, $lt: id } })).toMatchObject([
      { cash_drawer: bag, other: safe, kind: 'drop' },
      { cash_drawer: safe, other: bag, kind: 'drop' },
    ]);
    expect([(await find(bag)).moved, (await find(safe)).moved]).toEqual([false, true]);
    expect((await harness.manager('GET', `/cash-drawers/${safe}/movements`)).body).toEqual([]);
    expect(await count(safe, '20.00')).toMatchObject({ expected: '20.00', difference: '0.00' });
  });

  test('of main is the opening the first time, when it holds something unknown', async () => {
    const first = await count('main', '200.00');
    expect(first).toMatchObject({ expected: null, difference: null, left: '200.00' });
    await pay();
    expect(await count('main', '230.00')).toMatchObject({ expected: '230.00', difference: '0.00' });
  });

  test('tells waiters nothing, and lets them leave nothing', async () => {
    const name = await newDrawer();
    await pay({ cash_drawer: name });
    const asWaiter = { call: harness.waiter };
    // The first one is wrong, and the others are right. Their ids must not tell.
    const counted = await count(name, '10.00', asWaiter);
    const [right, again] = [await count(name, '10.00', asWaiter), await count(name, '10.00', asWaiter)];
    expect(right.id - counted.id).toBe(again.id - right.id);
    const path = `/cash-drawers/${name}/counts`;

    expect(counted).toMatchObject({ expected: null, difference: null, counted: '10.00', left: '10.00' });
    expect(codeOf(await send(path, { counted: '1', left: '1' }, asWaiter))).toBe('403 forbidden');
    expect(codeOf(await send(path, { counted: '1', to: 'main' }, asWaiter))).toBe('403 forbidden');
    expect(codeOf(await send(path, { counted: '1', left: '2' }))).toBe('422 unprocessable_content');
    expect(codeOf(await send('/cash-drawers/no-such/counts', { counted: '1' }))).toBe('404 not_found');
    expect((await harness.manager('GET', path)).body[2]).toMatchObject({ expected: '30.00', difference: '-20.00' });
  });

  test('is written once for an idempotency key', async () => {
    const name = await newDrawer();
    const key = randomUUID();
    const path = `/cash-drawers/${name}/counts`;
    const [first, again] = [await send(path, { counted: '5' }, { key }), await send(path, { counted: '5' }, { key })];

    expect(again.body).toEqual(first.body);
    expect(codeOf(await send(path, { counted: '6' }, { key }))).toBe('422 idempotency_key_reused');
  });
});
