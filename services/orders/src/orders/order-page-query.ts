import type { OrderStatus } from '@comanda/contracts/order';

/** Which orders to list: all, one user's, or a guest's (the guest's own and those of the seating). */
export type Scope =
  | { kind: 'all' }
  | { kind: 'owner'; ownerId: number }
  | { kind: 'seating'; ownerId: number; seating: number };
export type Position = { createdAt: Date; id: number };
export type PageQuery = {
  scope: Scope;
  statuses: readonly OrderStatus[];
  /** All stored spellings of one table's name. */
  tables: readonly string[] | undefined;
  /** Both are inclusive. */
  from: Date | undefined;
  to: Date | undefined;
  newestFirst: boolean;
  /** Only orders after this position; undefined for the first page. */
  after: Position | undefined;
  limit: number;
};
type Filter = Readonly<Record<string, unknown>>;

/**
 * The indexes for pages. The equality comes first, then the sort order, so a page reads about as many keys as it has orders,
 * however many orders exist.
 */
export const pageIndexes = {
  status: { name: 'page_by_status', key: { status: 1, dataHora: 1, _id: 1 } },
  owner: { name: 'page_by_owner', key: { usuarioID: 1, status: 1, dataHora: 1, _id: 1 } },
  table: { name: 'page_by_table', key: { table: 1, status: 1, dataHora: 1, _id: 1 } },
  seating: { name: 'page_by_seating', key: { seating: 1, status: 1, dataHora: 1, _id: 1 } },
} as const;

/**
 * Each branch is an equality on the first keys of one index and a range on the rest, so that MongoDB merges the branches
 * and reads only the keys of the page.
 */
export function pageFilter({ scope, statuses, tables, ...range }: PageQuery): Filter {
  const status = { $in: [...statuses] };
  const atTable = tables === undefined ? {} : { table: { $in: [...tables] } };
  const inScope: Filter[] =
    scope.kind === 'all'
      ? [{ ...atTable, status }]
      : [
          { usuarioID: scope.ownerId, status, ...atTable },
          ...(scope.kind === 'seating' ? [{ seating: scope.seating, status, ...atTable }] : []),
        ];
  const inRange = rangesOf(range);
  const branches = inScope.flatMap((each) => inRange.map((during): Filter => ({ ...each, ...during })));
  return branches.length === 1 ? (branches[0] ?? {}) : { $or: branches };
}

type Range = Pick<PageQuery, 'from' | 'to' | 'newestFirst' | 'after'>;

/** Returns ranges for the remaining orders with the same time as `after`, and for the orders beyond that time. */
function rangesOf({ from, to, newestFirst, after }: Range): Filter[] {
  const bounds = { ...(from && { $gte: from }), ...(to && { $lte: to }) };
  if (!after) return from || to ? [{ dataHora: bounds }] : [{}];
  const { createdAt, id } = after;
  const inBounds = (!from || createdAt >= from) && (!to || createdAt <= to);
  const beyond = { dataHora: { ...bounds, ...(newestFirst ? { $lt: createdAt } : { $gt: createdAt }) } };
  const sameTime = { dataHora: createdAt, _id: newestFirst ? { $lt: id } : { $gt: id } };
  return inBounds ? [sameTime, beyond] : [beyond];
}

/** Returns the one index that serves the page. A guest's page is merged from two indexes, which a hint can't express. */
export function pageHint({ scope, tables }: Pick<PageQuery, 'scope' | 'tables'>): { hint?: string } {
  if (scope.kind === 'seating') return {};
  if (scope.kind === 'owner') return { hint: pageIndexes.owner.name };
  return { hint: tables === undefined ? pageIndexes.status.name : pageIndexes.table.name };
}
