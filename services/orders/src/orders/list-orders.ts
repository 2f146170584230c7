import { listOrders as contract, statuses } from '@comanda/shared/contracts/orders';
import type { Order as WireOrder, OrderStatus } from '@comanda/shared/contracts/orders';
import { problem } from '@comanda/shared/contracts/problems';
import type { Call, Reply } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { readTime } from '../read-time.ts';
import type { Position, Scope } from './order-page-store.ts';
import type { OrderStore } from './order-store.ts';
import { standingOf, toWireOrder } from './order.ts';

type ListCall = Call<typeof contract>;
type Sort = 'created_at' | '-created_at';

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
    after: cursor === undefined ? undefined : readCursor(cursor, sort),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const now = new Date();
  const body = page.map((order) => toWireOrder(order, { standing: standingOf(order, caller) ?? 'other', now }));
  if (!last || found.length <= limit) return { status: 200, body };
  const next = new URLSearchParams({ ...words({ ...query }), cursor: writeCursor(last, sort) });
  return { status: 200, body, headers: { Link: `<${contract.path}?${next.toString()}>; rel="next"` } };
}

function scopeOf({ role, userId: ownerId, seating }: Caller): Scope {
  if (role !== 'customer') return { whose: 'all' };
  return seating === undefined ? { whose: 'owner', ownerId } : { whose: 'seating', ownerId, seating };
}

const words = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

const notOfThisList = () =>
  problem('validation_failed', {
    errors: [{ pointer: '/cursor', detail: 'is not a cursor of this list', in: 'query' }],
  });

/** Where the next page begins; good only for the order of pages that it comes from. */
const writeCursor = ({ createdAt, id }: Position, sort: Sort): string =>
  Buffer.from(JSON.stringify([sort, createdAt.getTime(), id])).toString('base64url');

function readCursor(cursor: string, sort: Sort): Position {
  const [made, time, id] = parse(cursor);
  if (made !== sort || !Number.isSafeInteger(time) || !Number.isSafeInteger(id)) throw notOfThisList();
  const createdAt = new Date(time as number);
  if (Number.isNaN(createdAt.getTime())) throw notOfThisList();
  return { createdAt, id: id as number };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
