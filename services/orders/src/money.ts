/** Parses a decimal string with at most two decimal places into minor units, for example 1250 for `"12.5"`. */
export function toMinor(decimal: string): number {
  const [units = '', fraction = ''] = decimal.split('.');
  const minor = Number(units + fraction.padEnd(2, '0'));
  if (!/^\d+$/.test(units) || !/^\d{0,2}$/.test(fraction) || !Number.isSafeInteger(minor))
    throw new Error('not a decimal with at most two places');
  return minor;
}

/** Formats minor units with two decimal places, for example `"12.50"` for 1250 and `"-0.01"` for -1. */
export function fromMinor(minor: number | bigint): string {
  const digits = String(minor < 0 ? -minor : minor).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
