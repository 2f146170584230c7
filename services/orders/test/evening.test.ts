import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
type Step = { do: string } & Record<string, Json>;
type Evening = { prices: string[]; steps: Step[]; reports: Json[] };

// A Python program computes what an evening adds up to, from the contract alone. It shares no code with the service.
const program = join(root, 'test', 'evenings', 'evening.py');
const stored = join(root, 'test', 'evenings', 'evening.json');
const isLong = process.env['COMANDA_LONG'] === '1';

let restaurant: DayHarness;
/** The ids of the dishes, which are the same in all evenings. */
const dishes: number[] = [];
beforeAll(async () => {
  restaurant = await startDayHarness('orders-evening');
  for (const name of ['bag', 'safe']) await restaurant.manager('PUT', `/cash-drawers/${name}`, { body: {} });
});
afterAll(() => restaurant.stop());

async function addDishes(prices: readonly string[]): Promise<void> {
  if (dishes.length > 0) return;
  const added = prices.map((price, index) => ({ name: `Dish ${index}`, price }));
  for (const body of added) dishes.push(created(await restaurant.manager('POST', '/menu', { body })).id);
}

/** The numbers of the last day and the last bill before an evening. */
type Before = { day: number; bill: number };
/**
 * Forgets the evening before, so that the next one starts with a cash drawer that was never counted. Numbers and ids continue, because
 * the service knows them.
 */
async function forgetEvening(): Promise<Before> {
  const { db } = restaurant;
  const collections = ['bills', 'pedidos', 'movements', 'counts', 'exceptions', 'days', 'day_statistics'];
  for (const name of collections) await db.collection(name).deleteMany({});
  const counters = await db.collection<Json>('restaurant').findOne({ _id: 'orders' });
  return { day: counters.day_number - 1, bill: counters.last_bill_number ?? 0 };
}

/** Does what the people in the evening do. Returns what the service says of each day. */
async function play({ prices, steps }: Evening): Promise<Json[]> {
  const { manager, waiter, post, refund, count, closeDay } = restaurant;
  const before = await forgetEvening();
  await addDishes(prices);
  const people: Record<string, Call> = { manager, waiter };
  const call = ({ by }: { by?: string; [name: string]: unknown }): Call => people[by ?? ''] ?? waiter;
  const maps = ['bill', 'order', 'line', 'payment', 'move'].map((name) => [name, new Map<number, number>()] as const);
  const ids = Object.fromEntries(maps) as Record<string, Map<number, number>>;
  /** Returns the id that the service gave to something in the evening. */
  const idOf = (what: string, number: number): number => ids[what]?.get(number) ?? 0;
  const put = async (path: string, body: object, by: Call = manager): Promise<void> => {
    expect(`${path} ${codeOf(await by('PUT', path, { body }))}`).toBe(`${path} 200`);
  };
  const itemPath = ({ order, line }: Step): string => `/orders/${idOf('order', order)}/items/${idOf('line', line)}`;
  const days: Json[] = [];
  const does: Record<string, (step: Step) => Promise<unknown>> = {
    order: async ({ bill, order, lines, covers }) => {
      const items = lines.map(([_line, dish, quantity]: number[]) => ({ item_id: dishes[dish ?? 0], quantity }));
      const placed = await post('/orders', { items });
      ids['bill']?.set(bill, placed.bill_id);
      ids['order']?.set(order, placed.id);
      for (const [at, [line]] of lines.entries()) ids['line']?.set(line, placed.items[at].id);
      await put(`/bills/${placed.bill_id}/covers`, { covers });
    },
    discount: ({ bill, amount }) => post(`/bills/${idOf('bill', bill)}/discounts`, { amount, reason: 'Cold' }, manager),
    decline: ({ bill, ...step }) => put(`/bills/${idOf('bill', bill)}/service-charge`, { included: false }, call(step)),
    cancel: ({ left, ...step }) =>
      put(itemPath(step), { status: 'cancelled', ...(left && { quantity_left: left }) }, call(step)),
    cancel_order: ({ order, ...step }) => put(`/orders/${idOf('order', order)}`, { status: 'cancelled' }, call(step)),
    move_items: async ({ line, order, quantity, table, ...step }) => {
      const body = { items: [{ id: idOf('line', line), quantity }], table };
      const moved = await post(`/orders/${idOf('order', order)}/move-items`, body, call(step));
      ids['bill']?.set(step['to_bill'], moved.bill_id);
      ids['order']?.set(step['to_order'], moved.id);
      ids['line']?.set(step['to_line'], moved.items[0].id);
    },
    ready: async (step) => {
      for (const status of ['preparing', 'ready']) await put(itemPath(step), { status });
    },
    remake: ({ quantity, ...step }) =>
      post(`${itemPath(step as Step)}/remake`, { quantity, reason: 'Burnt' }, call(step)),
    pay: async ({ payment, bill, by, do: _do, old: _old, amount, line, ...body }) => {
      const part = line ? { lines: [{ line_id: idOf('line', line) }] } : { amount };
      const paid = { ...body, part, expected_amount: amount };
      const { id } = await post(`/bills/${idOf('bill', bill)}/payments`, paid, call({ by }));
      ids['payment']?.set(payment, id);
    },
    refund: async ({ payment, bill, do: _do, old: _old, ...body }) => {
      const refunded = await refund(idOf('bill', bill), idOf('payment', payment), body);
      expect(refunded.status).toBe(200);
    },
    close: async ({ bill, ...step }) => {
      const closed = await call(step)('POST', `/bills/${idOf('bill', bill)}/close`, { body: {} });
      expect(codeOf(closed)).toBe('200');
    },
    reopen: async ({ bill }) => {
      const reopened = await manager('POST', `/bills/${idOf('bill', bill)}/reopen`, { body: { reason: 'Late' } });
      expect(codeOf(reopened)).toBe('200');
    },
    move: async ({ move, cash_drawer: name, do: _do, ...body }) => {
      const [first] = await post(`/cash-drawers/${name}/movements`, { ...body, reason: 'Ice' }, manager);
      ids['move']?.set(move, first.id);
    },
    reverse: ({ move, cash_drawer: name }) =>
      post(`/cash-drawers/${name}/movements`, { reverses: idOf('move', move), reason: 'Wrong' }, manager),
    count: ({ cash_drawer: name, counted, left, to }) => count(name, counted, { left, ...(to && { to }) }),
    close_day: async ({ carry_over: carried }) => {
      const closed = await closeDay({ carry_over: carried.map((bill: number) => idOf('bill', bill)) });
      expect(codeOf(closed)).toBe('201');
      days.push(await readDay(closed.body, before));
    },
  };
  for (const step of steps) {
    await does[step.do]?.(step);
    if (step['old'])
      await forgetNew(step.do, { bill: idOf('bill', step['bill']), payment: idOf('payment', step['payment']) });
  }
  return days;
}

/** Removes from a step what an instance of the last release does not write. */
async function forgetNew(step: string, { bill, payment }: { bill: number; payment: number }): Promise<void> {
  const { db } = restaurant;
  if (step !== 'close')
    await db.collection('movements').deleteOne({ payment_id: payment, kind: { pay: 'payment' }[step] ?? step });
  const ofBill: Record<string, ''> = step === 'close' ? { day: '', closing: '' } : {};
  const dropped: Record<string, ''> = { 'payments.$[].cash_drawer': '', 'payments.$[].refund': '', ...ofBill };
  await db.collection<{ _id: number }>('bills').updateOne({ _id: bill }, { $unset: dropped });
}

/** Reads the figures and the reports of a closed day. Leaves out what the other program cannot know: ids, times and hashes. */
async function readDay(report: Json, before: Before): Promise<Json> {
  const { manager, marta, wanda } = restaurant;
  const nameOf = ({ id }: { id: number }): string | undefined =>
    new Map([
      [marta.id, 'manager'],
      [wanda.id, 'waiter'],
    ]).get(id);
  const withPerson = ({ confirmed_by: _confirmed, by, ...row }: Json): Json => ({ ...row, by: by && nameOf(by) });
  const dishRow = ({ item_id: id, quantity, amount }: Json): Json => ({ dish: dishes.indexOf(id), quantity, amount });
  const { number } = report;
  const figures = (await manager('GET', `/day/figures?number=${number}`)).body;
  const list = async (name: string): Promise<Json[]> =>
    (await manager('GET', `/reports/${name}?from=${number}&to=${number}&limit=200`)).body;
  const waiters = (await list('waiters')).map(withPerson);
  expect(figures.waiters.map(withPerson)).toEqual(waiters);
  const total = (of: string): number =>
    figures.hours.reduce((sum: number, row: Json) => sum + Math.round(Number(row[of]) * 100), 0) / 100;
  return {
    report: withoutIds(report, before),
    figures: {
      bills: figures.bills,
      guests: figures.guests,
      made: figures.late.of,
      orders: total('orders'),
      items: total('items'),
      amount: total('amount').toFixed(2),
      dishes: figures.dishes.map(dishRow),
      payments: figures.payments,
      tips: figures.tips,
      waiters,
      exceptions: figures.exceptions.map(withPerson),
    },
    bills: (await list('bills')).map(
      ({ id: _id, table: _table, opened_at: _opened, closed_at: _closed, ...row }: Json) => ({
        ...row,
        number: row.number - before.bill,
      }),
    ),
    dishes: (await list('dishes')).map(dishRow),
  };
}

const withoutIds = (report: Json, before: Before): Json => ({
  number: report.number - before.day,
  bills: {
    count: report.bills.count,
    first_number: report.bills.first_number && report.bills.first_number - before.bill,
    last_number: report.bills.last_number && report.bills.last_number - before.bill,
  },
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

const computed = (...args: readonly string[]): Evening =>
  JSON.parse(execFileSync('python3', [program, ...args], { encoding: 'utf8' })) as Evening;
const randomSeeds = (count: number): string[] =>
  Array.from({ length: count }, () => String(Math.floor(Math.random() * 1e9)));

test('another program has computed the same reports and figures of an evening with 200 guests', async () => {
  const evening = JSON.parse(readFileSync(stored, 'utf8')) as Evening;

  expect(await play(evening)).toEqual(evening.reports);
}, 180_000);

/** What goes wrong often needs few guests. So at night there are few long evenings, and many short ones. */
const atNight = [
  [200, randomSeeds(10)],
  [10, randomSeeds(1_000)],
] as const;
for (const [guests, seeds] of isLong ? atNight : [])
  test.each(seeds)(
    `another program has computed the same of an evening with ${guests} guests (seed: %s)`,
    async (seed) => {
      const evening = computed(seed, String(guests));

      expect(await play(evening)).toEqual(evening.reports);
    },
    300_000,
  );
