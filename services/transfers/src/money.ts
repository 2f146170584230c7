/** Minor units, exact: no amount is ever a float. */
export type Minor = bigint;

/** Minor units of a decimal string of at most two places, e.g. `1250n` of `"12.5"`. */
export function toMinor(decimal: string): Minor {
  const [, units, fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  if (units === undefined) throw new Error('not a decimal of at most two places');
  return BigInt(units + fraction.padEnd(2, '0'));
}

/** A decimal string with two places, e.g. `"-12.50"` of `-1250n`. */
export function fromMinor(minor: Minor): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const largest = 2n ** 63n - 1n;

/** `balance + amount`. @throws where a signed 64-bit integer does not hold it: the store would keep another number */
export function addMinor(balance: Minor, amount: Minor): Minor {
  const sum = balance + amount;
  if (sum > largest || sum < -largest) throw new RangeError('a balance past 64 bits');
  return sum;
}
