import { textKey } from '@comanda/contracts/text-key';
import type { mongo } from 'mongoose';

/**
 * Returns a range that contains all spellings of a table's name, such as `t9` and `T9`, for an index of names as people wrote
 * them. Table names are ASCII, so the upper-case spelling comes first and the lower-case spelling last.
 */
export const rangeOfSpellings = (table: string) => ({ $gte: table.toUpperCase(), $lte: table.toLowerCase() });

/**
 * Returns the stored spellings of this table's name, such as `t9` and `T9`. `table` must be the first field of an index. With
 * these spellings, a query finds documents from every release.
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
