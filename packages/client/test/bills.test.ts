import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { previewPart } from '@comanda/contracts/bill-preview';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import { managerCredentials } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';
import { CallFailure, createClient, type Client } from '../src/index.ts';
import { followLiveBills } from '../src/live-bills.ts';

let stack: Stack;
let staff: Client;
beforeAll(async () => {
  stack = await startRestaurant('client-bills');
  staff = createClient({ url: stack.gatewayUrl });
  await staff.signIn(managerCredentials);
});
afterAll(async () => {
  staff?.close();
  await stack?.close();
});

/** Creates a generator of pseudo-random whole numbers (linear congruential). The same seed produces the same numbers. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Choosing = { number: (below: number) => number; step: number };
/**
 * Returns a part of the bill that a guest might want to pay, often one that is already paid or reserved. In the first steps,
 * the parts are dishes, because dishes can't be paid separately once a share was paid.
 */
function choosePart(bill: Bill, { number, step }: Choosing): BillPart {
  const line = bill.lines[number(bill.lines.length)];
  const kind = number(step < 9 ? 7 : 10);
  if (kind < 3 && line) return { lines: [{ line_id: line.id, quantity: 1 + number(2) }] };
  if (kind < 6 && line) return { lines: [{ line_id: line.id, parts: 1, of: 2 + number(2) }] };
  if (kind < 7 && line) return { lines: [{ line_id: line.id }] };
  if (kind < 8) return { shares: 1, of: 3 };
  return kind < 9 ? { amount: `${1 + number(20)}.07` } : { rest: true };
}

test.each([1, 2, 3, 4, 5, 6])(
  'the server charges the previewed prices for bill %s and rejects the parts that the preview rejects',
  async (seed) => {
    const number = createNumbers(seed);
    const names = ['Feijoada', 'Caipirinha', 'Pudim de leite', 'Pão de queijo'];
    const items = names.map((name) => ({ name, quantity: 1 + number(3) }));
    const { bill_id: id } = await staff.calls.placeOrder({ items });
    if (typeof id !== 'number') throw new Error('The order is on no bill.');
    let bill = await staff.calls.getBill({ id });
    const discount = { id, percent: '33.33', reason: 'Waited', line_id: bill.lines[0]?.id ?? 0 };
    if (seed % 2 === 0) bill = await staff.calls.giveDiscount(discount);
    const differences: unknown[] = [];
    for (let step = 0; step < 14; step++) {
      const part = choosePart(bill, { number, step });
      const preview = previewPart(bill, part);
      const expected = preview.kind === 'priced' ? preview.amount : '0.01';
      const call = staff.calls.payBill({ id, method: 'cash', part, expected_amount: expected });
      const found = await call.then(
        () => 'priced',
        (failure: CallFailure) => failure.code,
      );
      if (found !== preview.kind) differences.push({ part, preview, found });
      bill = await staff.calls.getBill({ id });
    }
    expect(differences).toEqual([]);
  },
);

test('a bill reaches all its followers, but no guest at another table', async () => {
  const { table_token: token, table } = await staff.calls.putTable({ table: `b-${randomUUID().slice(0, 8)}` });
  const guest = createClient({ url: stack.gatewayUrl });
  await guest.signInAsGuest({ table_token: token, name: 'Ana' });
  const stranger = createClient({ url: stack.gatewayUrl });
  const { table_token: other } = await staff.calls.putTable({ table: `${table}-b` });
  await stranger.signInAsGuest({ table_token: other });
  const seen = { staff: [] as readonly Bill[], guest: [] as readonly Bill[], stranger: [] as readonly Bill[] };
  const followers = [
    followLiveBills(staff, { onChange: (bills) => (seen.staff = bills) }),
    followLiveBills(guest, { onChange: (bills) => (seen.guest = bills) }),
    followLiveBills(stranger, { onChange: (bills) => (seen.stranger = bills) }),
  ];
  await until(() => followers.every(({ isComplete }) => isComplete()), { what: 'all followers to be live' });

  const { bill_id: id } = await guest.calls.placeOrder({ items: [{ name: 'Feijoada', quantity: 1 }] });
  const stateOf = (bills: readonly Bill[]) => bills.find((bill) => bill.id === id);
  await until(() => stateOf(seen.staff) && stateOf(seen.guest), { what: 'the new bill' });
  const { bill_id: same } = await guest.calls.placeOrder({ items: [{ name: 'Pudim de leite', quantity: 1 }] });
  await until(() => stateOf(seen.staff)?.lines.length === 2 && stateOf(seen.guest)?.lines.length === 2, {
    what: 'the second order on it',
  });
  await staff.calls.payBill({ id: id ?? 0, method: 'card', part: { amount: '1.00' }, expected_amount: '1.00' });
  await until(() => stateOf(seen.staff)?.paid === '1.00' && stateOf(seen.guest)?.paid === '1.00', {
    what: 'the payment',
  });

  expect(same).toBe(id);
  expect(seen.guest.map((bill) => bill.id)).toEqual([id]);
  expect(seen.stranger).toEqual([]);
  for (const { close } of followers) close();
  guest.close();
  stranger.close();
});
