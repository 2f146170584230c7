import { textKey } from '@comanda/contracts/text-key';
import type { mongo } from 'mongoose';

/**
 * Contains all ways to write a table's name, for an index of names as they are written. A name is ASCII, so that the one in upper case
 * comes first, and the one in lower case last.
 */
export const rangeOfSpellings = (table: string) => ({ $gte: table.toUpperCase(), $lte: table.toLowerCase() });

/** How this table is written in a field that begins an index: `t9` and `T9`. Documents of every release are found so. */
export async function findSpellings<T extends { table: string | null }>(
  collection: mongo.Collection<T>,
  table: string,
): Promise<string[]> {
  const range = rangeOfSpellings(table);
  if (range.$gte === range.$lte) return [table];
  const names = await collection.distinct('table', { table: range } as mongo.Filter<T>);
  return names.map(String).filter((name) => textKey(name) === textKey(table));
}
