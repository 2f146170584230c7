import { listOrders as contract } from '@comanda/contracts/orders';
import { statuses, type OrderStatus } from '@comanda/contracts/order';
import type { Call } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { DatabaseEpochStore } from '../restaurant/database-epoch-store.ts';
import type { Position, Scope } from './order-page-query.ts';
import type { OrderStore } from './order-store.ts';
import type { Order } from './order.ts';

export type ListOrdersDeps = {
  orders: Pick<OrderStore, 'listPage' | 'findTableNames'>;
  databaseEpoch: Pick<DatabaseEpochStore, 'get'>;
};
/** `next` is the next page's cursor; null on the last page. `databaseEpoch` is the database's epoch before the page was loaded. */
export type OrderPage = { orders: Order[]; next: string | null; databaseEpoch: string };

/**
 * `GET /orders`: returns one page, sorted by `created_at`, then `id`. Staff get all orders, customers their own, and guests also
 * those of their seating.
 */
export async function listOrders(
  { orders, databaseEpoch: epoch }: ListOrdersDeps,
  { caller, query }: Call<typeof contract>,
): Promise<OrderPage> {
  const { status, table, from, to, limit = 50, cursor, sort = '-created_at' } = query;
  const databaseEpoch = await epoch.get();
  const withOneMore = await orders.listPage({
    scope: scopeOf(caller),
    statuses: status === undefined ? statuses : [...new Set(status.split(',') as OrderStatus[])],
    tables: table === undefined ? undefined : await orders.findTableNames(table),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    newestFirst: sort === '-created_at',
    after: cursor === undefined ? undefined : readCursor(cursor),
    limit: limit + 1,
  });
  const page = withOneMore.slice(0, limit);
  const last = page.at(-1);
  if (!last || withOneMore.length <= limit) return { orders: page, next: null, databaseEpoch };
  return { orders: page, databaseEpoch, next: writeCursor(last) };
}

function scopeOf({ role, userId: ownerId, seating }: Caller): Scope {
  if (role !== 'customer') return { kind: 'all' };
  return seating === undefined ? { kind: 'owner', ownerId } : { kind: 'seating', ownerId, seating };
}

/** Returns a page's cursor: the position of the page's last order. It can be used with both sort orders. */
const writeCursor = ({ createdAt, id }: Position): string => `${createdAt.getTime()}-${id}`;

function readCursor(cursor: string): Position {
  const [time, id] = cursor.split('-');
  return { createdAt: new Date(Number(time)), id: Number(id) };
}
