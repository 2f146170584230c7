import * as fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { billAmounts, sum, type BillAmounts } from '@comanda/contracts/bill-amounts';
import { pricePart } from '@comanda/contracts/bill-parts';
import type { BillPart } from '@comanda/contracts/bill-payments';
import { partStateOf } from '@comanda/contracts/bill-preview';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { budget } from '@comanda/testing/budget';
import type { BatchState, BillInBatch } from '../src/batch/batch-state.ts';
import { decideBillChange } from '../src/batch/decide-bill-change.ts';
import { decideItemMove } from '../src/batch/decide-item-move.ts';
import { decideOrderChange } from '../src/batch/decide-order-change.ts';
import { decidePlacement } from '../src/batch/decide-placement.ts';
import { decideRemake } from '../src/batch/decide-remake.ts';
import type { Written, WrittenOrder } from '../src/batch/write.ts';
import type { BillChange } from '../src/bills/bill-change.ts';
import { stateOf } from '../src/bills/bill.ts';
import { fromMinor } from '../src/money.ts';
import type { OrderChange } from '../src/orders/order-rules.ts';
import type { Order, OrderItem } from '../src/orders/order.ts';
import { beer, burger, newBatchState, portions, stew } from './support/batch-state.ts';

// Random sequences of the decisions that the order writer makes, in memory. Whatever is accepted, no unit, cent, portion, discount
// or guest may get lost or appear twice, and each amount that leaves a bill must be in the list of exceptions.

const context = { actor: { id: 9, name: 'Marta', role: 'manager' }, traceparent: '' } as const;
const caller = { userId: 9, role: 'manager' } as const;
/** A random step. `at` and `of` select an order, bill or item: their remainder, divided by the number of entries. */
type Step =
  | { kind: 'place'; seating: number | null; beers: number; stews: number; burgers: number }
  | { kind: 'cancel'; at: number; left: number }
  | { kind: 'advance'; at: number }
  | { kind: 'move'; at: number; of: number; quantity: number | undefined; alsoNext: boolean; seating: number | null }
  | { kind: 'pay'; at: number; of: number; quantity: number; part: 'lines' | 'amount' | 'shares' | 'rest' }
  | { kind: 'refund'; at: number }
  | { kind: 'discount'; at: number; of: number; percent: boolean; isOfLine: boolean }
  | { kind: 'remake'; at: number }
  | { kind: 'covers'; at: number; covers: number | null }
  | { kind: 'merge'; at: number; into: number }
  | { kind: 'close'; at: number };

const any = fc.nat({ max: 60 });
const kind = <K extends Step['kind']>(name: K) => fc.constant(name);
const seating = fc.constantFrom(1, 2, 3, null);
const place = fc.record({
  kind: kind('place'),
  seating,
  beers: fc.integer({ min: 1, max: 5 }),
  stews: fc.integer({ min: 1, max: 3 }),
  burgers: fc.nat({ max: 2 }),
});
const parts = fc.constantFrom('lines', 'lines', 'amount', 'shares', 'rest');
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  place,
  { weight: 2, arbitrary: fc.record({ kind: kind('cancel'), at: any, left: fc.nat({ max: 3 }) }) },
  fc.record({ kind: kind('advance'), at: any }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('move'),
      at: any,
      of: any,
      quantity: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      alsoNext: fc.boolean(),
      seating,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('pay'),
      at: any,
      of: any,
      quantity: fc.integer({ min: 1, max: 3 }),
      part: parts,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('refund'), at: any }) },
  fc.record({ kind: kind('discount'), at: any, of: any, percent: fc.boolean(), isOfLine: fc.boolean() }),
  fc.record({ kind: kind('remake'), at: any }),
  fc.record({ kind: kind('covers'), at: any, covers: fc.option(fc.integer({ min: 1, max: 9 })) }),
  fc.record({ kind: kind('merge'), at: any, into: any }),
  { weight: 2, arbitrary: fc.record({ kind: kind('close'), at: any }) },
);

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % all.length];
const ordersIn = ({ orders }: BatchState): Order[] => [...orders.values()];
const itemsIn = (state: BatchState): { order: Order; item: OrderItem }[] =>
  ordersIn(state).flatMap((order) => order.items.map((item) => ({ order, item })));

/** Adds a new order to the loaded ones, as a later batch would load it. */
function withNewOrder(state: BatchState, outcome: Outcome<WrittenOrder>): Outcome<WrittenOrder> {
  if ('value' in outcome) state.orders.set(outcome.value.order.id, outcome.value.order);
  return outcome;
}

/** Runs a step. Returns null if there is nothing to which it applies. */
function execute(state: BatchState, step: Step): Outcome<Written> | null {
  if (step.kind === 'place') {
    const line = { remarks: '', options: [], unitPriceMinor: null, measure: null };
    const lines = [
      { dish: beer.id, quantity: step.beers, ...line },
      { dish: stew.id, quantity: step.stews, ...line },
      ...(step.burgers > 0 ? [{ dish: burger.id, quantity: step.burgers, ...line }] : []),
    ];
    const location = { table: String(step.seating), seating: step.seating };
    const placement = { kind: 'place', context, request: null, location, lines, allergies: null } as const;
    return withNewOrder(state, decidePlacement(state, placement));
  }
  if (step.kind === 'move') return executeMove(state, step);
  if (isOfBill(step)) return executeOnBill(state, step);
  const found = pick(itemsIn(state), step.at);
  if (!found) return null;
  const { order, item } = found;
  const { id, version, billId } = order;
  const of = { id, version, billId, context };
  if (step.kind === 'remake') {
    const remake = {
      itemId: item.id,
      dishIds: [item.itemId],
      seating: order.seating,
      quantity: undefined,
      reason: 'x',
    };
    return withNewOrder(state, decideRemake(state, { kind: 'remake', request: null, ...of, ...remake }));
  }
  const itemChange = { itemId: item.id, caller, ifMatch: undefined };
  const next = { received: 'preparing', preparing: 'ready', ready: 'delivered' } as const;
  const to = step.kind === 'advance' && item.status in next ? next[item.status as 'received'] : 'cancelled';
  const change: OrderChange =
    step.kind === 'cancel' && step.left > 0
      ? { kind: 'item_part', to: 'cancelled', quantityLeft: step.left, ...itemChange }
      : { kind: 'item_status', to, ...itemChange };
  return decideOrderChange(state, { kind: 'change_order', change, dishIds: [], ...of });
}

function executeMove(state: BatchState, step: Step & { kind: 'move' }): Outcome<Written> | null {
  const order = pick(ordersIn(state), step.at);
  const items = order?.items ?? [];
  const first = pick(items, step.of);
  if (!order || !first) return null;
  const next = pick(items, step.of + 1);
  const asked = [
    { id: first.id, quantity: step.quantity },
    ...(step.alsoNext && next && next !== first ? [{ id: next.id }] : []),
  ];
  const { id, version, billId } = order;
  const to = { table: `${step.seating}b`, seating: step.seating };
  return decideItemMove(state, {
    kind: 'move_items',
    context,
    request: null,
    id,
    version,
    billId,
    items: asked,
    to,
    ifMatch: undefined,
  });
}

type BillStep = Extract<Step, { kind: 'pay' | 'refund' | 'discount' | 'covers' | 'merge' | 'close' }>;
const isOfBill = (step: Step): step is BillStep =>
  ['pay', 'refund', 'discount', 'covers', 'merge', 'close'].includes(step.kind);
function executeOnBill(state: BatchState, step: BillStep): Outcome<Written> | null {
  const all = [...state.bills.byId.values()];
  const bill = pick(all, step.at);
  const into = step.kind === 'merge' ? pick(all, step.into) : undefined;
  const change = bill && (into ? mergeInto(bill, into) : changeOf(bill, step));
  if (!bill || !change) return null;
  const of = { kind: 'change_bill', context, request: null, reader: null, ifMatch: undefined } as const;
  return decideBillChange(state, { ...of, billId: bill.bill.id, change });
}

const mergeInto = (from: BillInBatch, into: BillInBatch): BillChange | null =>
  from === into ? null : { kind: 'merge', into: into.bill.id };

function changeOf(bill: BillInBatch, step: BillStep): BillChange | null {
  if (step.kind === 'covers') return { kind: 'set_covers', covers: step.covers };
  if (step.kind === 'merge') return null;
  if (step.kind === 'close') return { kind: 'close' };
  const lines = stateOf(bill).lines;
  if (step.kind === 'refund') {
    const payment = bill.bill.payments.find(({ status }) => status === 'paid');
    return payment
      ? { kind: 'refund_payment', paymentId: payment.id, inCash: false, cashDrawer: undefined, reason: 'x' }
      : null;
  }
  const line = pick(lines, step.of);
  if (!line) return null;
  if (step.kind === 'discount') {
    const amount = step.percent ? { percent: '15.00', amountMinor: null } : { percent: null, amountMinor: 301 };
    const discount = { lineId: step.isOfLine ? line.id : null, ...amount, label: null };
    return { kind: 'give_discount', discount };
  }
  const byLines = { lines: [{ line_id: line.id, quantity: Math.min(step.quantity, line.quantity) }] };
  const part: BillPart = {
    lines: byLines,
    amount: { amount: '7.77' },
    shares: { shares: 1, of: 3 },
    rest: { rest: true },
  }[step.part];
  const priced = pricePart(stateOf(bill), partStateOf(part));
  if (priced.kind !== 'priced') return null;
  return { kind: 'record_payment', payment: { method: 'cash', part, expected_amount: fromMinor(priced.amount) } };
}

const unitsIn = (state: BatchState): number =>
  itemsIn(state).reduce((units, { item }) => units + (item.remake ? 0 : item.quantity), 0);
const billsIn = ({ bills }: BatchState): BillInBatch[] => [...bills.byId.values()];
/** Returns the amounts of all exceptions of these kinds. */
const exceptedIn = ({ exceptions }: BatchState, kinds: readonly string[]): bigint =>
  sum(exceptions.filter(({ kind: each }) => kinds.includes(each)).map(({ amountMinor }) => BigInt(amountMinor)));

/** The sums of a state: each bill's amounts by its id, the exceptions that took them off a bill, and the guests on all bills. */
type Sums = { amounts: Map<number, BillAmounts>; listed: bigint; guests: number };
const sumsOf = (state: BatchState): Sums => ({
  amounts: new Map(billsIn(state).map((bill) => [bill.bill.id, billAmounts(stateOf(bill))])),
  listed: exceptedIn(state, ['item_cancelled', 'order_moved']),
  guests: billsIn(state).reduce((all, { bill }) => all + (bill.status === 'merged' ? 0 : (bill.covers ?? 0)), 0),
});
/** Returns what left the bills on which less is charged after a step than before. */
const amountLeft = (before: Sums, after: Sums): bigint =>
  sum(
    [...before.amounts]
      .map(([id, { itemsTotal }]) => itemsTotal - (after.amounts.get(id)?.itemsTotal ?? 0n))
      .filter((left) => left > 0n),
  );

/** What all accepted steps so far must have led to. */
type Expected = { units: number; charged: bigint; lineDiscounts: number; guests: number };

/** Returns what is wrong; empty if everything holds that must hold after each step. */
function defectsOf(state: BatchState, { units, charged, lineDiscounts, guests }: Expected, sums: Sums): string[] {
  const items = itemsIn(state);
  const held = items.reduce((all, { item }) => all + (item.holdsPortions ? item.quantity : 0), 0);
  const bills = billsIn(state);
  const discounts = bills.flatMap(({ bill }) => bill.discounts.filter(({ lineId }) => lineId !== null));
  const paid = bills.flatMap(({ bill }) => bill.payments.filter(({ status }) => status === 'paid'));
  const moved = state.movements.reduce((all, { amountMinor }) => all + amountMinor, 0);
  const rules: [what: string, holds: boolean][] = [
    ['units are conserved', unitsIn(state) === units],
    ['each item is in one order', new Set(items.map(({ item }) => item.id)).size === items.length],
    [
      'components are with their combo',
      items.every(({ order, item: { partOf } }) => partOf === null || order.items.some(({ id }) => id === partOf)),
    ],
    ['portions come back once', (state.portions.get(beer.id) ?? 0) + held === portions],
    [
      'money is conserved',
      sum([...sums.amounts.values()].map((each) => each.itemsTotal)) ===
        charged - exceptedIn(state, ['item_cancelled']),
    ],
    ['discounts are conserved', discounts.length === lineDiscounts],
    ['guests are conserved', sums.guests === guests],
    ['payments are recorded', moved === paid.reduce((all, { amountMinor }) => all + amountMinor, 0)],
  ];
  for (const { bill, orders } of bills) {
    const amounts = sums.amounts.get(bill.id);
    const own = ordersIn(state).filter(({ billId }) => billId === bill.id);
    const lineIds = new Set(orders.flatMap((order) => order.items.map(({ id }) => id)));
    rules.push(
      ['nothing is overpaid', bill.status !== 'open' || (amounts?.remaining ?? -1n) >= 0n],
      ['a merged bill charges nothing', bill.status !== 'merged' || amounts?.itemsTotal === 0n],
      ['a closed bill stays as it is', !bill.closing || BigInt(bill.closing.totalMinor) === amounts?.total],
      ['a bill has its orders', own.length === orders.length && own.every((order) => orders.includes(order))],
      ['each discount has its own id', new Set(bill.discounts.map(({ id }) => id)).size === bill.discounts.length],
      ['discounts are with their lines', bill.discounts.every(({ lineId }) => lineId === null || lineIds.has(lineId))],
    );
  }
  return rules.flatMap(([what, holds]) => (holds ? [] : [what]));
}

/** Adds an accepted step. `guests`: how many guests it has added to the bills. */
function expectStep(expected: Expected, step: Step, guests: number): void {
  if (step.kind === 'place') {
    const { beers, stews, burgers } = step;
    expected.units += beers + stews + 2 * burgers;
    expected.charged += BigInt(beers * beer.priceMinor + stews * stew.priceMinor + burgers * (burger.priceMinor + 250));
  }
  if (step.kind === 'discount' && step.isOfLine) expected.lineDiscounts++;
  if (step.kind === 'covers') expected.guests += guests;
}

test('no sequence of cancellations, moves, payments and discounts loses a unit, a cent or a portion', () => {
  const accepted = new Map<string, number>();
  fc.assert(
    fc.property(place, fc.array(anyStep, { minLength: 6, maxLength: 14 }), (first, steps) => {
      const state = newBatchState();
      const expected: Expected = { units: 0, charged: 0n, lineDiscounts: 0, guests: 0 };
      let before = sumsOf(state);
      for (const step of [first, ...steps]) {
        const outcome = execute(state, step);
        const after = sumsOf(state);
        if (outcome !== null && 'value' in outcome) {
          accepted.set(step.kind, (accepted.get(step.kind) ?? 0) + 1);
          expectStep(expected, step, after.guests - before.guests);
        }
        const isListed = after.listed - before.listed === amountLeft(before, after);
        const defects = [
          ...defectsOf(state, expected, after),
          ...(isListed ? [] : ['what leaves a bill is an exception']),
        ];
        expect({ step, defects }).toEqual({ step, defects: [] });
        before = after;
      }
    }),
    { numRuns: budget(1000, 10_000) },
  );
  // The sequences must not be empty of what they are about.
  for (const each of ['cancel', 'move', 'pay', 'discount', 'refund', 'remake', 'covers', 'merge', 'close'])
    expect(accepted.get(each) ?? 0).toBeGreaterThan(50);
});
