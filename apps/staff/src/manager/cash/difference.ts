import type { CashCount } from '@comanda/contracts/cash-drawers';
import { formatMoney } from '@comanda/ui/format.ts';
import { sumOf } from '../sum-of.ts';
import { cashMessages } from './messages.ts';

/**
 * Adds up what the counts of one cash drawer have found: a payment that a phone sends after a count is over in the next, and missing
 * after that. Null if no count compared anything.
 */
export function differenceOf(counts: readonly Pick<CashCount, 'difference'>[]): string | null {
  const differences = counts.flatMap(({ difference }) => difference ?? []);
  return differences.length === 0 ? null : sumOf(differences);
}

/** Formats an amount without its minus. */
export const formatAbsolute = (amount: string, currency: string): string =>
  formatMoney(amount.replace('-', ''), currency);

/** Says whether counts matched, as `R$ 2.00 missing`. */
export function differenceText(difference: string | null, currency: string): string {
  const words = cashMessages().count;
  if (difference === null) return words.first;
  if (difference === '0.00') return words.matches;
  const amount = formatAbsolute(difference, currency);
  return difference.startsWith('-') ? words.missing(amount) : words.over(amount);
}
