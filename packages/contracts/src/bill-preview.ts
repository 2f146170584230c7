/**
 * Computes the price for a part of a bill from the bill that the API returned, so that an app can show the price without another
 * request. The server computes the price again, and rejects a payment whose `expected_amount` differs.
 */
import {
  settledOf,
  type BillDiscount,
  type BillLine,
  type BillPayment as PaymentState,
  type BillState,
  type Coverage,
  type Piece,
} from './bill-amounts.ts';
import { pricePart, type BillPart as PartState, type PartRefusal } from './bill-parts.ts';
import type { Bill } from './bills.ts';
import type { BillPart, BillPayment } from './bill-payments.ts';
import { fromMinor, toMinor } from './money.ts';

/** The price for a part, with amounts in the API's form, or why the part can't be paid. */
export type PartPreview = { kind: 'priced'; amount: string } | PartRefusal;

/** Returns the current price for this part of the bill, or why it can't be paid. */
export function previewPart(bill: Bill, part: BillPart): PartPreview {
  const priced = pricePart(billStateOf(bill), partStateOf(part));
  return priced.kind === 'priced' ? { kind: 'priced', amount: fromMinor(priced.amount) } : priced;
}

/** Converts a part of a bill to the form used in `bill-parts`. @throws TypeError if the contract does not accept the part */
export function partStateOf({ rest, shares, of, amount, lines }: BillPart): PartState {
  if (rest) return { rest: true };
  if (shares !== undefined && of !== undefined) return { shares, of };
  if (amount !== undefined) return { amount: toMinor(amount) };
  if (lines === undefined) throw new TypeError('A part is the rest, shares, an amount or lines.');
  return {
    lines: lines.map(({ line_id: lineId, quantity, parts, of: ofParts }) => {
      if (parts !== undefined && ofParts !== undefined) return { lineId, parts, of: ofParts };
      return { lineId, ...(quantity !== undefined && { quantity }) };
    }),
  };
}

/** Converts a bill from the API to the form used in `bill-amounts`. */
export function billStateOf(bill: Bill): BillState {
  const active = bill.payments.filter(isActive);
  return {
    lines: bill.lines.map((line): BillLine => {
      return { id: line.id, quantity: line.quantity, unitPrice: toMinor(line.unit_price), taxRate: null };
    }),
    discounts: bill.discounts.map(({ id, line_id: lineId, amount }): BillDiscount => {
      return { id, lineId, amount: toMinor(amount) };
    }),
    serviceCharge: bill.service_charge,
    payments: active.map((payment): PaymentState => {
      const { id, status, amount } = payment;
      return { id, status, amount: toMinor(amount), covers: coverageOf(payment, { bill, active }) };
    }),
    closed: bill.status === 'closed',
  };
}

const isActive = ({ status }: BillPayment): boolean => ['reserved', 'claimed', 'paid', 'refunding'].includes(status);

type Context = { bill: Bill; active: readonly BillPayment[] };

/**
 * Returns what a payment covers. The API reports only how many pieces of a line are settled in total, so the line's first payment
 * gets all of them.
 */
function coverageOf(payment: BillPayment, context: Context): Coverage {
  const { shares, of } = payment.part;
  if (shares !== undefined && of !== undefined)
    return { by: 'shares', round: roundOf(payment, context), count: shares, of };
  if (!isByLines(payment, context.active)) return { by: 'amount' };
  const first = context.active.find((each) => isByLines(each, context.active));
  return { by: 'lines', pieces: first === payment ? piecesOf(context) : [] };
}

/**
 * Returns true if a payment covers certain lines instead of a share or an amount. A payment for the rest covers all open lines,
 * unless a share or an amount was paid before it.
 */
function isByLines({ id, part }: BillPayment, active: readonly BillPayment[]): boolean {
  if (part.lines) return true;
  const isDivided = active.some((other) => other.id < id && !other.part.lines && !other.part.rest);
  return part.rest === true && !isDivided;
}

function piecesOf({ bill, active }: Context): Piece[] {
  return bill.lines
    .filter(({ settled }) => settled.count > 0)
    .map(({ id: lineId, settled: { count, of } }) => {
      const choices = active.flatMap(({ part }) => part.lines ?? []).filter(({ line_id: line }) => line === lineId);
      const isByParts = choices.some(({ parts }) => parts !== undefined);
      return { lineId, kind: isByParts ? 'parts' : 'units', count, of };
    });
}

/**
 * Returns the round that a payment for shares belongs to. The newest shares belong to the current round, up to the number taken
 * in that round; older shares belong to an earlier round.
 */
function roundOf(payment: BillPayment, { bill, active }: Context): number {
  const later = active.filter(({ id, part }) => id > payment.id && part.shares !== undefined);
  const takenLater = later.reduce((count, { part }) => count + (part.shares ?? 0), 0);
  return takenLater < bill.split.shares_taken ? 2 : 1;
}

/** Returns how many pieces of a line are not yet covered by a payment, and how many pieces the line is divided into. */
export function openPiecesOf(bill: Bill, lineId: number): Pick<Piece, 'kind' | 'count' | 'of'> {
  const { lines, payments } = billStateOf(bill);
  const line = lines.find(({ id }) => id === lineId);
  if (!line) return { kind: 'units', count: 0, of: 1 };
  const { kind, count, of } = settledOf(line, payments);
  return { kind, count: of - count, of };
}
