import * as money from '@comanda/contracts/money';

/**
 * Parses a decimal string into minor units, like `toMinor` in contracts. Returns a number instead of a bigint, because a
 * restaurant's amounts are small.
 */
export function toMinor(decimal: string): number {
  const minor = Number(money.toMinor(decimal));
  if (!Number.isSafeInteger(minor)) throw new Error('the amount is too large');
  return minor;
}

/** Parses a decimal string that may be negative into minor units: -8000 for `"-80.00"`. */
export const toSignedMinor = (decimal: string): number =>
  decimal.startsWith('-') ? 0 - toMinor(decimal.slice(1)) : toMinor(decimal);

/** Formats minor units with two decimal places, for example `"12.50"` for 1250 and `"-0.01"` for -1. */
export const fromMinor = (minor: number | bigint): string => money.fromMinor(BigInt(minor));
