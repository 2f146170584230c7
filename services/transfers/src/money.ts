/** An exact amount in minor units (cents), never a float. */
export type Minor = bigint;

/** Parses a decimal string with at most two decimal places into minor units, e.g. `1250n` for `"12.5"`. */
export function toMinor(decimal: string): Minor {
  const [, units, fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  if (units === undefined) throw new Error('an amount must be a decimal with at most two places');
  return BigInt(units + fraction.padEnd(2, '0'));
}

/** Formats minor units with two decimal places, e.g. `"-12.50"` for `-1250n`. */
export function fromMinor(minor: Minor): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const maxMinor = 2n ** 63n - 1n;

/**
 * Returns `balance + amount`. @throws RangeError if the sum needs more than 64 bits, because MongoDB would store a different
 * number
 */
export function addMinor(balance: Minor, amount: Minor): Minor {
  const sum = balance + amount;
  if (sum > maxMinor || sum < -maxMinor) throw new RangeError('a balance needs more than 64 bits');
  return sum;
}
