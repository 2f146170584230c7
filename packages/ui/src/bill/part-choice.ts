import { openPiecesOf, previewPart, type PartPreview } from '@comanda/contracts/bill-preview';
import type { Bill, BillPart } from '@comanda/contracts/bills';
import { readAmount } from '../read-amount.ts';

/** What is chosen of a line: so many units, or so many of equal parts. */
export type LineChoice = { quantity: number } | { parts: number; of: number };
/** What a person wants to pay, as it is chosen on a screen. */
export type PartChoice =
  | { way: 'rest' }
  | { way: 'shares'; shares: number; of: number }
  | { way: 'lines'; lines: ReadonlyMap<number, LineChoice> }
  | { way: 'amount'; typed: string };
export type Way = PartChoice['way'];

/** Null while nothing that can be paid is chosen. */
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

/** What the choice costs now, why it cannot be paid, or null while nothing is chosen. */
export function previewOf(bill: Bill, choice: PartChoice): PartPreview | null {
  const part = partOf(choice);
  return part && previewPart(bill, part);
}

/** What a screen offers at first when somebody chooses this way. `people`: how many share, if nobody has begun to. */
export function startOf(way: Way, bill: Bill, people: number): PartChoice {
  const { shares_of: of, shares_taken: taken } = bill.split;
  if (way === 'shares') return { way, shares: 1, of: of !== null && taken < of ? of : people };
  if (way === 'lines') return { way, lines: new Map() };
  return way === 'amount' ? { way, typed: '' } : { way };
}

/** All that is open of a line: a line that was paid by parts stays parted so. */
export function allOpenOf(bill: Bill, lineId: number): LineChoice | null {
  const { kind, count, of } = openPiecesOf(bill, lineId);
  if (count === 0) return null;
  return kind === 'parts' ? { parts: count, of } : { quantity: count };
}
