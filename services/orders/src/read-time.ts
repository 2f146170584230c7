import { problem } from '@comanda/contracts/problem';

/**
 * Converts a time whose form the contract has checked.
 * @throws 400 `validation_failed` if it is not a date of the calendar, for example 31 February
 */
export function readTime(time: string | undefined, where: { pointer: string; in?: 'query' }): Date | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  // `new Date` turns 31 February into 3 March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== time.slice(0, 10))
    throw problem('validation_failed', { errors: [{ ...where, detail: 'must be a date that exists' }] });
  return date;
}
