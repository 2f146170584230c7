import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { accountPayments } from './support/account-payments.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

/** How many milliseconds the clock is ahead on the instance that writes next. */
let aheadMs = 0;
let harness: OrdersHarness;
let calls: ReturnType<typeof accountPayments>;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-clocks-apart', { clock: () => Date.now() + aheadMs });
  calls = accountPayments(harness);
  dish = await harness.createDish({ price: '10.00' });
});
afterAll(() => harness.close());

const newBill = async (): Promise<number> => (await calls.order(harness.waiter, { [dish]: 1 })).bill_id;
const pay = async (bill: number): Promise<number> => {
  const body = { method: 'cash', part: { rest: true }, expected_amount: '10.00' };
  return created(await harness.manager('POST', `/bills/${bill}/payments`, { body })).id;
};
const done = async (path: string, body: object): Promise<void> =>
  expect((await harness.manager('POST', path, { body })).status).toBe(200);
const refund = (bill: number, payment: number) =>
  done(`/bills/${bill}/payments/${payment}/refund`, { reason: 'Charged twice' });
const close = (bill: number) => done(`/bills/${bill}/close`, {});
const isPaidOnce = { status: 'closed', total: '10.00', paid: '10.00', remaining: '0.00', refunded: '10.00' };

describe('two instances with clocks a minute apart', () => {
  test('count a refund as unpaid, even if the instance whose clock is behind closes the bill', async () => {
    const bill = await newBill();
    aheadMs = 60_000;
    await refund(bill, await pay(bill));
    aheadMs = 0;
    await pay(bill);
    await close(bill);

    expect(await calls.get(bill)).toMatchObject({ ...isPaidOnce, refunded: '0.00' });
  });

  test('leave a closed bill paid, even if the instance whose clock is behind refunds a payment', async () => {
    const bill = await newBill();
    const payment = await pay(bill);
    aheadMs = 60_000;
    await close(bill);
    aheadMs = 0;
    await refund(bill, payment);

    expect(await calls.get(bill)).toMatchObject(isPaidOnce);
    await done(`/bills/${bill}/reopen`, { reason: 'Pays again' });
    expect(await calls.get(bill)).toMatchObject({ paid: '0.00', remaining: '10.00' });
  });

  test('leave a closed bill paid, even if transfers refunds a payment', async () => {
    const ana = calls.diner(101, { seating: calls.newSeating() });
    const { bill_id: bill } = await calls.order(ana.call, { [dish]: 1 });
    const payment = created(await calls.reserve(bill, ana, { expected_amount: '10.00' }));
    const [jti, refundJti] = [randomUUID(), randomUUID()];
    await calls.claim(payment, ana.asService, { jti });
    await calls.settle(payment, calls.receipt({ jti, payment }));
    aheadMs = 60_000;
    await close(bill);
    aheadMs = 0;
    await calls.claim(payment, calls.staff('manager', 900_001), { purpose: 'refund', jti: refundJti });
    await calls.settle(payment, calls.receipt({ jti: refundJti, payment, kind: 'bill_refund' }));

    expect(await calls.get(bill)).toMatchObject(isPaidOnce);
  });
});
