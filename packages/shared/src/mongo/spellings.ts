import { textKey } from '@comanda/contracts/text-key';
import type { mongo } from 'mongoose';

/**
 * Returns a range with all spellings of a table's name, for an index of names as written. Names are ASCII, so the upper-case
 * spelling comes first and the lower-case spelling last.
 */
export const rangeOfSpellings = (table: string) => ({ $gte: table.toUpperCase(), $lte: table.toLowerCase() });

/**
 * Returns the spellings of this table's name in a field that starts an index, such as `t9` and `T9`. They find documents from
 * every release.
 */
export async function findSpellings<T extends { table: string | null }>(
  collection: mongo.Collection<T>,
  table: string,
): Promise<string[]> {
  const range = rangeOfSpellings(table);
  if (range.$gte === range.$lte) return [table];
  const names = await collection.distinct('table', { table: range } as mongo.Filter<T>);
  return names.map(String).filter((name) => textKey(name) === textKey(table));
}
