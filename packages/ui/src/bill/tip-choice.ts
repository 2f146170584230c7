import { rateOf, roundHalfUp } from '@comanda/contracts/bill-amounts';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { readAmount } from '../read-amount.ts';

/** The selected tip, or null if nothing is selected. `typed` is an amount that the user has entered. */
export type TipChoice = { rate: string } | { typed: string } | 'none' | null;

/** Returns the total amount: the part of the bill plus the tip. */
export const withTip = ({ amount, tip }: { amount: string; tip: string }): string =>
  fromMinor(toMinor(amount) + toMinor(tip));

/** Returns the tip for this amount, such as `"1.50"`, or null if the typed text isn't an amount. */
export function tipOf(choice: TipChoice, amount: string): string | null {
  if (choice === null || choice === 'none') return '0.00';
  if ('rate' in choice) return fromMinor(roundHalfUp(toMinor(amount) * rateOf(choice.rate), 10_000n));
  return choice.typed.trim() === '' || /^[0.,\s]+$/.test(choice.typed) ? '0.00' : readAmount(choice.typed);
}
