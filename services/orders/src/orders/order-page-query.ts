import type { OrderStatus } from '@comanda/contracts/order';

/** The orders to list: all, those of one user, or a guest's (their own orders and their seating's). */
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
  /** The period in which the orders were placed. `from` and `to` are inclusive; undefined for no limit. */
  from: Date | undefined;
  to: Date | undefined;
  newestFirst: boolean;
  /** Only orders after this position; undefined for the first page. */
  after: Position | undefined;
  limit: number;
};
type Filter = Readonly<Record<string, unknown>>;

/**
 * The indexes for pages of orders. Each starts with the fields that a page compares by equality, followed by the sort order. So
 * MongoDB reads about as many index keys as the page has orders, no matter how many orders exist.
 */
export const pageIndexes = {
  status: { name: 'page_by_status', key: { status: 1, dataHora: 1, _id: 1 } },
  owner: { name: 'page_by_owner', key: { usuarioID: 1, status: 1, dataHora: 1, _id: 1 } },
  table: { name: 'page_by_table', key: { table: 1, status: 1, dataHora: 1, _id: 1 } },
  seating: { name: 'page_by_seating', key: { seating: 1, status: 1, dataHora: 1, _id: 1 } },
} as const;

/**
 * Returns the filter for a page. Each branch of `$or` compares the first fields of an index by equality and its other fields by
 * range. So MongoDB can merge the branches in their sort order, and reads only the keys of the page.
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

/** Returns the time ranges after the position `after`: the remaining orders at exactly that time, and all orders beyond it. */
function rangesOf({ from, to, newestFirst, after }: Range): Filter[] {
  const bounds = { ...(from && { $gte: from }), ...(to && { $lte: to }) };
  if (!after) return from || to ? [{ dataHora: bounds }] : [{}];
  const { createdAt, id } = after;
  const inBounds = (!from || createdAt >= from) && (!to || createdAt <= to);
  const beyond = { dataHora: { ...bounds, ...(newestFirst ? { $lt: createdAt } : { $gt: createdAt }) } };
  const sameTime = { dataHora: createdAt, _id: newestFirst ? { $lt: id } : { $gt: id } };
  return inBounds ? [sameTime, beyond] : [beyond];
}

/**
 * Returns the index for the page as a hint. A guest's page is merged from two indexes, so it has no hint: a hint names only one.
 */
export function pageHint({ scope, tables }: Pick<PageQuery, 'scope' | 'tables'>): { hint?: string } {
  if (scope.kind === 'seating') return {};
  if (scope.kind === 'owner') return { hint: pageIndexes.owner.name };
  return { hint: tables === undefined ? pageIndexes.status.name : pageIndexes.table.name };
}
