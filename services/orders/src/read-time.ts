import { problem } from '@comanda/contracts/problems';

/**
 * A time that the contract has taken for its form.
 * @throws 400 `validation_failed` where the calendar has no such day
 */
export function readTime(time: string | undefined, where: { pointer: string; in?: 'query' }): Date | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  // The engine makes 3 March of 31 February.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== time.slice(0, 10))
    throw problem('validation_failed', { errors: [{ ...where, detail: 'is a time that there is not' }] });
  return date;
}
