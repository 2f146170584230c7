import { normalMeasure, priceOfMeasure } from '@comanda/contracts/weight';
import type { ProblemMembers } from '@comanda/contracts/problem';
import type { Dish } from '../menu/menu-item.ts';
import type { OrderItem } from '../orders/order.ts';
import type { Line, PlaceOrder } from './write.ts';

type Errors = NonNullable<ProblemMembers['errors']>;
type OrderedLine = { line: Line; dish: Dish };

export const isByStaff = ({ context }: PlaceOrder): boolean => context.actor.role !== 'customer';

/** Returns the item's price, and the weight from which it follows. */
export function priceOf(
  { unitPriceMinor, measure }: Line,
  { priceMinor }: Dish,
): Pick<OrderItem, 'unitPriceMinor' | 'measure'> {
  if (measure === null) return { unitPriceMinor: unitPriceMinor ?? priceMinor, measure: null };
  return {
    unitPriceMinor: Number(priceOfMeasure(BigInt(priceMinor), measure)),
    measure: { value: normalMeasure(measure), priceMinor },
  };
}

/** Returns an error for each price or weight that staff left out, or entered for a dish that has none. */
export function errorsOfPrices(lines: readonly OrderedLine[], placement: PlaceOrder): Errors[number][] {
  if (!isByStaff(placement)) return []; // these dishes are unavailable for customers
  return lines.flatMap(({ line, dish }, index) =>
    priceErrors(line, dish).map(([field, detail]) => ({ pointer: `/items/${index}/${field}`, detail })),
  );
}

function priceErrors(
  { unitPriceMinor, measure, quantity }: Line,
  { pricing }: Dish,
): [field: string, detail: string][] {
  const errors: [string, string][] = [];
  const check = (field: string, { isSent, isNeeded }: { isSent: boolean; isNeeded: boolean }): void => {
    if (isNeeded && !isSent) errors.push([field, 'is required for this dish']);
    else if (isSent && !isNeeded) errors.push([field, 'is not allowed for this dish']);
  };
  check('unit_price', { isSent: unitPriceMinor !== null, isNeeded: pricing === 'open' });
  check('measure', { isSent: measure !== null, isNeeded: pricing === 'per_kg' });
  if (pricing === 'per_kg' && quantity !== 1) errors.push(['quantity', 'must be 1 for a dish sold by the kilogram']);
  return errors;
}
