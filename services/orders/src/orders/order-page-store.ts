import type { mongo } from 'mongoose';
import type { OrderStatus } from '@comanda/contracts/orders';
import type { OrderDocument } from './order-document-store.ts';

/** Whose orders: everybody's, one user's, or a guest's (the guest's own and those of the seating). */
export type Scope =
  | { whose: 'all' }
  | { whose: 'owner'; ownerId: number }
  | { whose: 'seating'; ownerId: number; seating: number };
export type Position = { createdAt: Date; id: number };
export type OrderPage = {
  scope: Scope;
  statuses: readonly OrderStatus[];
  table: string | undefined;
  /** Both inclusive. */
  from: Date | undefined;
  to: Date | undefined;
  newestFirst: boolean;
  /** Begins behind this one. */
  after: Position | undefined;
  limit: number;
};
type Filter = mongo.Filter<OrderDocument>;

/**
 * Every branch is an equality on the leading keys of one index and a range on the rest, so that MongoDB merges the
 * branches and reads only the keys of the page.
 */
export function pageFilter({ scope, statuses, table, ...range }: OrderPage): Filter {
  const status = { $in: [...statuses] };
  const atTable = table === undefined ? {} : { table };
  const whose: Filter[] =
    scope.whose === 'all'
      ? [{ ...atTable, status }]
      : [
          { usuarioID: scope.ownerId, status, ...atTable },
          ...(scope.whose === 'seating' ? [{ seating: scope.seating, status, ...atTable }] : []),
        ];
  const when = ranges(range);
  const branches = whose.flatMap((each) => when.map((during): Filter => ({ ...each, ...during })));
  return branches.length === 1 ? (branches[0] ?? {}) : { $or: branches };
}

/** The time of the pages' beginning itself, then what lies beyond it. */
function ranges({ from, to, newestFirst, after }: Pick<OrderPage, 'from' | 'to' | 'newestFirst' | 'after'>): Filter[] {
  const bounds = { ...(from && { $gte: from }), ...(to && { $lte: to }) };
  if (!after) return from || to ? [{ dataHora: bounds }] : [{}];
  const { createdAt, id } = after;
  const inBounds = (!from || createdAt >= from) && (!to || createdAt <= to);
  const beyond: Filter = newestFirst
    ? { dataHora: { ...bounds, $lt: createdAt } }
    : { dataHora: { ...bounds, $gt: createdAt } };
  const same: Filter = { dataHora: createdAt, _id: newestFirst ? { $lt: id } : { $gt: id } };
  return inBounds ? [same, beyond] : [beyond];
}

/** One index serves the page; a guest's page is merged from two, which no hint can say. */
export function pageHint({ scope, table }: OrderPage): { hint?: string } {
  if (scope.whose === 'seating') return {};
  if (scope.whose === 'owner') return { hint: 'usuarioID_1_status_1_dataHora_1__id_1' };
  return { hint: table === undefined ? 'status_1_dataHora_1__id_1' : 'table_1_status_1_dataHora_1__id_1' };
}
