import { listOrders as contract, statuses } from '@comanda/contracts/orders';
import type { Order as WireOrder, OrderStatus } from '@comanda/contracts/orders';
import type { Call, Reply } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { readTime } from '../read-time.ts';
import type { Position, Scope } from './order-page-store.ts';
import type { OrderStore } from './order-store.ts';
import { viewerRoleOf, toWireOrder } from './order.ts';

type ListCall = Call<typeof contract>;

/** `GET /orders`: a customer's own, a guest's with the seating's, all for staff; by (created_at, id), a page at a time. */
export async function listOrders(orders: OrderStore, { caller, query }: ListCall): Promise<Reply<WireOrder[]>> {
  const { status, table, from, to, limit = 50, cursor, sort = '-created_at' } = query;
  const found = await orders.page({
    scope: scopeOf(caller),
    statuses: status === undefined ? statuses : [...new Set(status.split(',') as OrderStatus[])],
    table,
    from: readTime(from, { pointer: '/from', in: 'query' }),
    to: readTime(to, { pointer: '/to', in: 'query' }),
    newestFirst: sort === '-created_at',
    after: cursor === undefined ? undefined : readCursor(cursor),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const now = new Date();
  const body = page.map((order) => toWireOrder(order, { viewerRole: viewerRoleOf(order, caller) ?? 'other', now }));
  if (!last || found.length <= limit) return { status: 200, body };
  const next = new URLSearchParams({ ...words({ ...query }), cursor: writeCursor(last) });
  return { status: 200, body, headers: { Link: `<${contract.path}?${next.toString()}>; rel="next"` } };
}

function scopeOf({ role, userId: ownerId, seating }: Caller): Scope {
  if (role !== 'customer') return { whose: 'all' };
  return seating === undefined ? { whose: 'owner', ownerId } : { whose: 'seating', ownerId, seating };
}

const words = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** Where the next page begins, in whatever order pages are read. */
const writeCursor = ({ createdAt, id }: Position): string => `${createdAt.getTime()}-${id}`;

function readCursor(cursor: string): Position {
  const [time, id] = cursor.split('-');
  return { createdAt: new Date(Number(time)), id: Number(id) };
}
