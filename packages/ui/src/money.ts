/** Converts `"12.50"` to minor units: 1250. Amounts are added as integers, never as floats. */
export function toMinor(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2));
}

/** Converts 1250 minor units to the API's form: `"12.50"`. */
export const fromMinor = (minor: number): string =>
  `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
