import { toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import { allOpenOf, previewOf, startOf, type PartChoice } from '@comanda/ui/bill/part-choice.ts';

type IsOwn = (userId: number) => boolean;

/** Returns true if the bill can be paid dish by dish. */
export const isByDish = ({ split }: Bill): boolean => split.mode === 'none' || split.mode === 'lines';

/**
 * Returns the part that is selected when a guest opens the page: their own dishes, or a share if others have paid shares, or
 * everything if nobody else has something to pay.
 */
export function firstChoice(bill: Bill, isOwn: IsOwn): PartChoice {
  if (bill.split.mode === 'shares') return startOf('shares', bill);
  const hasOthers = bill.lines.some(({ id, ordered_by: by }) => !isOwn(by.id) && allOpenOf(bill, id) !== null);
  const mine = mineOf(bill, isOwn);
  if (isByDish(bill) && hasOthers && mine.lines.size > 0) return mine;
  return { way: 'rest' };
}

/** Returns the dishes that this person has ordered and that are not paid yet, including orders from before they signed in. */
export function mineOf(bill: Bill, isOwn: IsOwn): Extract<PartChoice, { way: 'lines' }> {
  const own = bill.lines.filter(({ ordered_by: by }) => isOwn(by.id));
  const open = own.flatMap(({ id }) => {
    const choice = allOpenOf(bill, id);
    return choice ? [[id, choice] as const] : [];
  });
  return { way: 'lines', lines: new Map(open) };
}

/**
 * Returns the price of this person's dishes, ignoring payments, but at most what is left to pay. An empty string if they have
 * ordered nothing.
 */
export function priceOfMine(bill: Bill, isOwn: IsOwn): string {
  const unpaid = { ...bill, payments: [] };
  const preview = previewOf(unpaid, mineOf(unpaid, isOwn));
  if (preview?.kind !== 'priced') return '';
  return toMinor(preview.amount) > toMinor(bill.remaining) ? bill.remaining : preview.amount;
}
