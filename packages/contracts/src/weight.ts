// Apart from the schemas in `measure.ts`, so that the apps can use it without the validation library.
import { roundHalfUp } from './bill-amounts.ts';

/**
 * How a dish is priced. `fixed`: at the menu's price. `open`: staff enter the price when they order it. `per_kg`: the menu's price
 * is for a kilogram, and staff enter the weight.
 */
export const pricings = ['fixed', 'open', 'per_kg'] as const;
export type Pricing = (typeof pricings)[number];

/** Returns the weight with three decimal places: `0.500` for `0.5`. */
export function normalMeasure(value: string): string {
  const [whole = '', places = ''] = value.split('.');
  return `${whole}.${places.padEnd(3, '0')}`;
}

/** Returns the price of a weight in kilograms, in minor units. `pricePerKg` is in minor units too. */
export const priceOfMeasure = (pricePerKg: bigint, value: string): bigint =>
  roundHalfUp(pricePerKg * BigInt(normalMeasure(value).replace('.', '')), 1000n);
