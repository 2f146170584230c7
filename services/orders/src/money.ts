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

/** Formats minor units with two decimal places, for example `"12.50"` for 1250 and `"-0.01"` for -1. */
export const fromMinor = (minor: number | bigint): string => money.fromMinor(BigInt(minor));
