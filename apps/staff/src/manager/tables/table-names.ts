import { maxTablesPerCall } from '@comanda/contracts/rules';

type Range = { first: string; last: string; prefix: string };

/** Returns the names of numbered tables, such as `T1` to `T12`; null if the numbers aren't a range of at most 200 tables. */
export function tableNames({ first, last, prefix }: Range): string[] | null {
  const [from, to] = [first.trim(), last.trim()];
  if (!/^\d{1,6}$/.test(from) || !/^\d{1,6}$/.test(to)) return null;
  const count = Number(to) - Number(from) + 1;
  if (count < 1 || count > maxTablesPerCall) return null;
  return Array.from({ length: count }, (_, index) => `${prefix.trim()}${Number(from) + index}`);
}
