import { fromMinor, toMinor } from '@comanda/contracts/money';

/** Converts an amount, which may be negative, to minor units. */
export const minorOf = (amount: string): bigint =>
  amount.startsWith('-') ? -toMinor(amount.slice(1)) : toMinor(amount);
/** Adds up amounts, which may be negative. */
export const sumOf = (amounts: readonly string[]): string =>
  fromMinor(amounts.reduce((sum, each) => sum + minorOf(each), 0n));
