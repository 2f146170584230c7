import { openPiecesOf, previewPart, type PartPreview } from '@comanda/contracts/bill-preview';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import { readAmount } from '../read-amount.ts';

/** The selected part of a line, as a number of units or of equal parts. */
export type LineChoice = { quantity: number } | { parts: number; of: number };
/** The part of the bill that a user wants to pay, as selected on the screen. */
export type PartChoice =
  | { way: 'rest' }
  | { way: 'shares'; shares: number; of: number }
  | { way: 'lines'; lines: ReadonlyMap<number, LineChoice> }
  | { way: 'amount'; typed: string };
export type Way = PartChoice['way'];

/** Returns the part in the API's format, or null while nothing payable is selected. */
export function partOf(choice: PartChoice): BillPart | null {
  if (choice.way === 'rest') return { rest: true };
  if (choice.way === 'shares') return { shares: choice.shares, of: choice.of };
  if (choice.way === 'amount') {
    const amount = readAmount(choice.typed);
    return amount === null ? null : { amount };
  }
  const lines = [...choice.lines].map(([id, chosen]) => ({ line_id: id, ...chosen }));
  return lines.length === 0 ? null : { lines };
}

/** Returns the selection's current price, or the reason why it can't be paid. Null while nothing is selected. */
export function previewOf(bill: Bill, choice: PartChoice): PartPreview | null {
  const part = partOf(choice);
  return part && previewPart(bill, part);
}

/**
 * Returns the initial selection for a way of splitting the bill. `people` is the number of people who share it, unless a share is
 * already paid.
 */
export function startOf(way: Way, bill: Bill, people: number): PartChoice {
  const { shares_of: of, shares_taken: taken } = bill.split;
  if (way === 'shares') return { way, shares: 1, of: of !== null && taken < of ? of : people };
  if (way === 'lines') return { way, lines: new Map() };
  return way === 'amount' ? { way, typed: '' } : { way };
}

/** Selects the unpaid rest of a line. A line that was partly paid in equal parts stays divided in that way. */
export function allOpenOf(bill: Bill, lineId: number): LineChoice | null {
  const { kind, count, of } = openPiecesOf(bill, lineId);
  if (count === 0) return null;
  return kind === 'parts' ? { parts: count, of } : { quantity: count };
}
