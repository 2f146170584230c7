import { openPiecesOf, previewPart, type PartPreview } from '@comanda/contracts/bill-preview';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import { readAmount } from '../read-amount.ts';

/** The selected part of a line: either a number of units, or a number of equal parts (`parts` out of `of`). */
export type LineChoice = { quantity: number } | { parts: number; of: number };
/** The part of the bill that the user has selected to pay. */
export type PartChoice =
  | { way: 'rest' }
  | { way: 'shares'; shares: number; of: number }
  | { way: 'lines'; lines: ReadonlyMap<number, LineChoice> }
  | { way: 'amount'; typed: string };
export type Way = PartChoice['way'];

/** Converts the selection to the API's format. Returns null while nothing is selected that could be paid. */
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

/** Returns the current price of the selection, or the reason why it can't be paid. Returns null while nothing is selected. */
export function previewOf(bill: Bill, choice: PartChoice): PartPreview | null {
  const part = partOf(choice);
  return part && previewPart(bill, part);
}

/** The largest number of shares that the server accepts. */
export const maxShares = 50;

/**
 * Returns how many people share the bill: the guests whom staff have counted, or else those who have ordered. At least two, because
 * the bill is split.
 */
const peopleOf = ({ covers, lines }: Bill): number =>
  Math.min(maxShares, Math.max(2, covers ?? new Set(lines.map(({ ordered_by: by }) => by.id)).size));

/** Returns the initial selection for a way of splitting the bill. If a share was already paid, the number of shares is fixed. */
export function startOf(way: Way, bill: Bill): PartChoice {
  const { shares_of: of, shares_taken: taken } = bill.split;
  if (way === 'shares') return { way, shares: 1, of: of !== null && taken < of ? of : peopleOf(bill) };
  if (way === 'lines') return { way, lines: new Map() };
  return way === 'amount' ? { way, typed: '' } : { way };
}

/**
 * Selects everything that is still unpaid in a line. If equal parts of the line were already paid, selects the other parts.
 * Returns null if the line is paid.
 */
export function allOpenOf(bill: Bill, lineId: number): LineChoice | null {
  const { kind, count, of } = openPiecesOf(bill, lineId);
  if (count === 0) return null;
  return kind === 'parts' ? { parts: count, of } : { quantity: count };
}
