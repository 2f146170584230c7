import { rateOf, roundHalfUp } from '@comanda/contracts/bill-amounts';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { readAmount } from '../read-amount.ts';

/** The selected tip, or null if none is selected yet. `rate` is in percent. `typed` is the entered amount, as text. */
export type TipChoice = { rate: string } | { typed: string } | 'none' | null;

/** Returns the amount to pay with the tip, such as `"34.17"`. */
export const withTip = ({ amount, tip }: { amount: string; tip: string }): string =>
  fromMinor(toMinor(amount) + toMinor(tip));

/** Returns the tip on this amount, such as `"1.50"`, or null if the entered text isn't an amount. */
export function tipOf(choice: TipChoice, amount: string): string | null {
  if (choice === null || choice === 'none') return '0.00';
  if ('rate' in choice) return fromMinor(roundHalfUp(toMinor(amount) * rateOf(choice.rate), 10_000n));
  return choice.typed.trim() === '' || /^[0.,\s]+$/.test(choice.typed) ? '0.00' : readAmount(choice.typed);
}
