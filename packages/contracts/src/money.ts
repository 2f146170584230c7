/** The currencies that are supported, as ISO 4217 codes. Each has two decimal places. */
export const currencies = ['BRL', 'USD', 'EUR'] as const;
export type Currency = (typeof currencies)[number];

/**
 * Parses an amount that is not negative into minor units (cents): `1250n` for `"12.5"`.
 * @throws Error if `decimal` is not a decimal number with at most two places
 */
export function toMinor(decimal: string): bigint {
  const [, units, fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  if (units === undefined) throw new Error('an amount must be a decimal with at most two places');
  return BigInt(units + fraction.padEnd(2, '0'));
}

/** Formats minor units with two decimal places, as in the API: `"-12.50"` for `-1250n`. */
export function fromMinor(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
