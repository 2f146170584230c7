import { textKey } from '@comanda/contracts/text-key';
import type { mongo } from 'mongoose';

/**
 * A range with all spellings of a table's name, for an index of names as written. A name is ASCII, so the one in upper
 * case comes first, and the one in lower case last.
 */
export const rangeOfSpellings = (table: string) => ({ $gte: table.toUpperCase(), $lte: table.toLowerCase() });

/**
 * The spellings of this table in a field that starts an index, such as `t9` and `T9`. They find documents of every
 * release.
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
