/** Minor units of a decimal string of at most two places, e.g. 1250 of `"12.5"`. */
export function toMinor(decimal: string): number {
  const [units = '', fraction = ''] = decimal.split('.');
  const minor = Number(units + fraction.padEnd(2, '0'));
  if (!/^\d+$/.test(units) || !/^\d{0,2}$/.test(fraction) || !Number.isSafeInteger(minor))
    throw new Error('not a decimal of at most two places');
  return minor;
}

/** A decimal string with two places, e.g. `"12.50"` of 1250. */
export function fromMinor(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
