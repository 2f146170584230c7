import { oneOfEachKey, textKey } from '@comanda/contracts/text-key';

/** The tables that exist, and the names for which there is none, both in the order of the names. */
type Found<T> = { existing: T[]; missing: string[] };

/**
 * Finds the tables with these names, like `findByName` for one: the exact name first, otherwise a name that reads the same. A name
 * that reads like an earlier one is left out.
 */
export function findMissing<T extends { name: string }>(names: readonly string[], tables: readonly T[]): Found<T> {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const byKey = new Map(tables.map((table) => [textKey(table.name), table]));
  const existing = new Set<T>();
  const missing: string[] = [];
  for (const name of names) {
    const found = byName.get(name) ?? byKey.get(textKey(name));
    if (found) existing.add(found);
    else missing.push(name);
  }
  return { existing: [...existing], missing: oneOfEachKey(missing) };
}
