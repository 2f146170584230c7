/** Groups elements like `Map.groupBy`, for browsers from before 2024. The groups are in the order of their first elements. */
export function groupBy<T, K>(all: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/** Returns the last element for which `isSo` is true, like `findLast`, for browsers from before 2022. */
export function findLast<T>(all: readonly T[], isSo: (each: T) => boolean): T | undefined {
  for (let index = all.length - 1; index >= 0; index--) {
    const each = all[index] as T;
    if (isSo(each)) return each;
  }
  return undefined;
}
