import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { codeOf, created } from '@comanda/testing/call';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
type Step = { do: string } & Record<string, Json>;
type Evening = { prices: string[]; steps: Step[]; reports: Json[] };

// A Python program computes the reports of an evening from the contract alone. It shares no code with the service.
const program = join(root, 'test', 'evenings', 'evening.py');
const stored = join(root, 'test', 'evenings', 'evening.json');
const isLong = process.env['COMANDA_LONG'] === '1';

let restaurant: DayHarness;
beforeAll(async () => {
  restaurant = await startDayHarness('orders-evening');
});
afterAll(() => restaurant.stop());

/** Does what the people in the evening do. Returns the reports of its days. */
async function play({ prices, steps }: Evening): Promise<Json[]> {
  const { manager, post, getBill, refund, close, count, closeDay } = restaurant;
  const dishes: number[] = [];
  for (const [index, price] of prices.entries())
    dishes.push(
      created(await manager('POST', '/menu', { body: { name: `Dish ${index} ${Math.random()}`, price } })).id,
    );
  const ids = {
    bills: new Map<number, number>(),
    payments: new Map<number, number>(),
    moves: new Map<number, number>(),
  };
  const billOf = (step: Step): number => ids.bills.get(step['bill']) ?? 0;
  const reports: Json[] = [];
  const does: Record<string, (step: Step) => Promise<unknown>> = {
    order: async ({ bill, lines }) => {
      const items = lines.map(([dish, quantity]: [number, number]) => ({ item_id: dishes[dish], quantity }));
      ids.bills.set(bill, (await post('/orders', { items })).bill_id);
    },
    discount: (step) => post(`/bills/${billOf(step)}/discounts`, { amount: step['amount'], reason: 'Cold' }, manager),
    cancel: async (step) => {
      const { items } = (await manager('GET', `/orders/${await orderOf(billOf(step))}`)).body;
      const path = `/orders/${await orderOf(billOf(step))}/items/${items[step['line']].id}`;
      expect((await manager('PUT', path, { body: { status: 'cancelled' } })).status).toBe(200);
    },
    pay: async ({ payment, bill, do: _do, amount, ...body }) => {
      const paid = { ...body, part: { amount }, expected_amount: amount };
      ids.payments.set(payment, (await post(`/bills/${ids.bills.get(bill)}/payments`, paid)).id);
    },
    refund: async ({ payment, bill, do: _do, ...body }) => {
      const refunded = await refund(ids.bills.get(bill) ?? 0, ids.payments.get(payment) ?? 0, body);
      expect(refunded.status).toBe(200);
    },
    close: async (step) => expect((await close(billOf(step))).status).toBe(200),
    reopen: async (step) => {
      const reopened = await manager('POST', `/bills/${billOf(step)}/reopen`, { body: { reason: 'Late' } });
      expect(codeOf(reopened)).toBe('200');
    },
    move: async ({ move, cash_drawer: name, do: _do, ...body }) => {
      const [first] = await post(`/cash-drawers/${name}/movements`, { ...body, reason: 'Ice' }, manager);
      ids.moves.set(move, first.id);
    },
    reverse: ({ move, cash_drawer: name }) =>
      post(`/cash-drawers/${name}/movements`, { reverses: ids.moves.get(move), reason: 'Wrong' }, manager),
    count: ({ cash_drawer: name, counted, left, to }) => count(name, counted, { left, ...(to && { to }) }),
    close_day: async ({ carry_over: carried }) => {
      const closed = await closeDay({ carry_over: carried.map((bill: number) => ids.bills.get(bill)) });
      expect(codeOf(closed)).toBe('201');
      reports.push(closed.body);
    },
  };
  const orderOf = async (bill: number): Promise<number> => (await getBill(bill)).lines[0].order_id;
  for (const step of steps) await does[step.do]?.(step);
  return reports;
}

/** Leaves out what the other program cannot know: ids, times, hashes and people. */
const withoutIds = (report: Json): Json => ({
  number: report.number,
  bills: report.bills,
  sales: report.sales,
  payments: report.payments,
  refunds: report.refunds,
  refunded_after_closing: report.refunded_after_closing,
  unsettled: report.unsettled,
  cash_drawers: report.cash_drawers.map(({ counts, ...drawer }: Json) => ({
    ...drawer,
    counts: counts.map(({ expected, counted, difference, left, to }: Json) => ({
      expected,
      counted,
      difference,
      left,
      to,
    })),
  })),
  exceptions: report.exceptions,
  carried_over: { count: report.carried_over.count, bills: report.carried_over.bills.length },
});

test('the reports of an evening are those that another program has computed from the contract', async () => {
  for (const name of ['bag', 'safe']) await restaurant.manager('PUT', `/cash-drawers/${name}`, { body: {} });
  const seed = String(Math.floor(Math.random() * 1e9));
  const text = isLong ? execFileSync('python3', [program, seed], { encoding: 'utf8' }) : readFileSync(stored, 'utf8');
  const evening = JSON.parse(text) as Evening;

  const reports = await play(evening);
  expect({ seed: isLong ? seed : 'stored', reports: reports.map(withoutIds) }).toEqual({
    seed: isLong ? seed : 'stored',
    reports: evening.reports,
  });
});
