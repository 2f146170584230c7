import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { until } from '@comanda/testing/until';
import { accountPayments, type Diner } from './support/account-payments.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let calls: ReturnType<typeof accountPayments>;
let dishes: number[];
beforeAll(async () => {
  harness = await startOrdersHarness('orders-racing');
  calls = accountPayments(harness);
  dishes = [];
  for (const price of ['9.90', '32.50', '0.01', '7.77']) dishes.push(await harness.createDish({ price }));
  const body = { service_charge: { rate: '12.34', optional: true } };
  await harness.manager('PUT', '/restaurant', { body });
});
afterAll(() => harness.close());

const cents = (amount: string): number => Math.round(Number(amount) * 100);
/** Returns one sentence for each error in a bill's numbers. */
function defectsOf({ version, lines, payments, ...bill }: Json): string[] {
  const [total, paid, reserved, remaining] = ['total', 'paid', 'reserved', 'remaining'].map((name) =>
    cents(bill[name]),
  ) as [number, number, number, number];
  const sumOf = (...statuses: string[]): number =>
    payments
      .filter(({ status }: Json) => statuses.includes(status))
      .reduce((all: number, { amount }: Json) => all + cents(amount), 0);
  const checks: [string, boolean][] = [
    ['total is not paid + reserved + remaining', total === paid + reserved + remaining],
    ['remaining is below zero', remaining >= 0],
    ['paid is not the sum of what is paid', paid === sumOf('paid', 'refunding')],
    ['reserved is not the sum of what is reserved', reserved === sumOf('reserved', 'claimed')],
    ['a piece is settled twice', lines.every(({ settled: { count, of } }: Json) => count <= of)],
    [
      'the lines do not add up',
      cents(bill.items_total) === lines.reduce((all: number, line: Json) => all + cents(line.amount), 0),
    ],
  ];
  return checks.flatMap(([what, holds]) => (holds ? [] : [`version ${version}: ${what}`]));
}

type Parts = (bill: Json) => object;
const parts: readonly Parts[] = [
  ({ lines }) => ({ lines: [{ line_id: lines[0].id, quantity: 1 }] }),
  ({ lines }) => ({ lines: [{ line_id: lines.at(-1).id }] }),
  ({ lines }) => ({ lines: [{ line_id: lines[1].id, parts: 1, of: 7 }] }),
  ({ lines }) => ({ lines: [{ line_id: lines[0].id, quantity: 2 }, { line_id: lines[2]?.id ?? 1 }] }),
  () => ({ amount: '3.33' }),
  () => ({ shares: 1, of: 5 }),
  () => ({ rest: true }),
];

/** Sends a payment. Retries up to eight times with the new price if the price has changed. */
async function payAt(call: Call, path: string, body: object): Promise<Called> {
  let expected_amount = '0.01';
  for (let attempt = 0; ; attempt++) {
    const response = await call('POST', path, { body: { ...body, expected_amount } });
    if (response.body.code !== 'bill_changed' || attempt === 8) return response;
    expected_amount = response.body.amount;
  }
}

test.each(budget([1], [1, 2]))(
  "a bill's amounts add up while 50 users pay mixed shares at the same time (%i)",
  async () => {
    const seating = calls.newSeating();
    const [waiter, manager] = [patient(harness.waiter), patient(harness.manager)];
    const diners = Array.from({ length: 25 }, (_, index): Diner => {
      const diner = calls.diner(seating + index, { seating });
      return { ...diner, call: patient(diner.call), asService: patient(diner.asService) };
    });
    const settle = ({ id }: Json, statement: string): Promise<Called> =>
      patient(caller(harness.url))('POST', `/internal/bill-payments/${id}/settle`, { body: { statement } });
    const [first] = diners as [Diner];
    const orders = [
      await calls.order(first.call, { [dishes[0]!]: 9, [dishes[1]!]: 6 }),
      await calls.order(first.call, { [dishes[2]!]: 3, [dishes[3]!]: 8 }),
    ];
    const bill: number = orders[0].bill_id;
    const path = `/bills/${bill}/payments`;
    const seen: Json[] = [];
    const read = async (call: Call): Promise<Json> => {
      const { body } = await call('GET', `/bills/${bill}`);
      seen.push(body);
      return body;
    };
    const pick = (index: number): Parts => parts[index % parts.length]!;

    const byAccount = diners.map(async ({ call, asService }, index) => {
      const part = pick(index)(await read(call));
      const { status, body: payment } = await payAt(call, path, { method: 'account', part, tip: '1.00' });
      if (status !== 201) return;
      if (index % 5 === 4) {
        await calls.cancel(payment, call);
        return;
      }
      const jti = randomUUID();
      if ((await calls.claim(payment, asService, { jti })).status !== 200) return;
      const statement = index % 4 === 3 ? calls.refusal(jti) : calls.receipt({ jti, payment });
      expect((await settle(payment, statement)).status).toBe(200);
      await read(call);
    });
    const byHand = Array.from({ length: 25 }, async (_, index) => {
      const part = pick(index + 3)(await read(waiter));
      const { status, body: payment } = await payAt(waiter, path, { method: 'cash', part });
      if (status === 201 && index % 6 === 5)
        await waiter('POST', `${path}/${payment.id}/refund`, { body: { reason: 'Wrong table' } });
      await read(manager);
    });
    const others = [
      ...Array.from({ length: 5 }, async () => orders.push(await calls.order(first.call, { [dishes[1]!]: 1 }))),
      ...orders.flatMap(({ id, items }) =>
        items.map((item: Json) => waiter('PUT', `/orders/${id}/items/${item.id}`, { body: { status: 'cancelled' } })),
      ),
      ...['1.00', '2.50'].map((amount) =>
        manager('POST', `/bills/${bill}/discounts`, { body: { amount, reason: 'Waited' } }),
      ),
      manager('POST', `/bills/${bill}/discounts`, { body: { percent: '7.5', reason: 'Waited' } }),
    ];
    await Promise.all([...byAccount, ...byHand, ...others]);

    const rest = await read(waiter);
    const held = rest.payments.filter(({ status }: Json) => status === 'reserved');
    for (const payment of held) await calls.cancel(payment, waiter);
    const { body: open } = await waiter('GET', `/bills/${bill}`);
    const last = { method: 'card', part: { rest: true }, expected_amount: open.remaining };
    if (open.remaining !== '0.00') created(await waiter('POST', path, { body: last }));
    const closed = await waiter('POST', `/bills/${bill}/close`, { body: {} });
    expect(closed.status).toBe(200);
    const reported = () => harness.events.of('bill.changed', bill).map(({ data }: Json) => data);
    await until(() => reported().some(({ change }: Json) => change.kind === 'closed'), { what: 'the last event' });

    const all = [...seen, closed.body, ...reported().map((data: Json) => data.bill)];
    expect(all.flatMap(defectsOf)).toEqual([]);
    expect(all.length).toBeGreaterThan(75);
    const versions = reported().map(({ bill: { version } }: Json) => version);
    expect(new Set(versions).size).toBe(versions.length);
    const current = await Promise.all(orders.map(({ id }) => waiter('GET', `/orders/${id}`)));
    const items = current.flatMap(({ body }) => body.items).filter(({ status }: Json) => status !== 'cancelled');
    const idsOf = (list: Json[]): number[] => list.map(({ id }) => id).toSorted((a, b) => a - b);
    expect(idsOf(closed.body.lines)).toEqual(idsOf(items));
  },
);
