import { billStatuses, type BillStatus } from '@comanda/contracts/bill-query';
import type { listBills as listContract } from '@comanda/contracts/bills';
import type * as contract from '@comanda/contracts/bills';
import { problem } from '@comanda/contracts/problem';
import type { ResponseOf } from '@comanda/contracts/endpoint';
import type { Call } from '@comanda/shared/http/api';
import { toMinor } from '../money.ts';
import type { OrderStore } from '../orders/order-store.ts';
import type { BillStore } from './bill-store.ts';
import { mayRead, type BillWithOrders } from './bill.ts';
import { withoutOverdue, type ExpireDeps } from './expire-reservations.ts';

export type GetBillDeps = ExpireDeps & { bills: BillStore; orders: Pick<OrderStore, 'findBillIdsOf'> };

/** `GET /bills/{id}`: returns one bill. @throws 404 `not_found` if it does not exist or the caller may not read it */
export async function getBill(
  deps: GetBillDeps,
  { caller, params, context }: Pick<Call<typeof contract.getBill>, 'caller' | 'params' | 'context'>,
): Promise<BillWithOrders> {
  const found = await deps.bills.find(params.id);
  if (!found) throw problem('not_found');
  // A merged bill has no orders: they are on the bill it was merged into. Users who may read that bill may also read this one.
  const { mergedInto } = found.bill;
  const into = mayRead(found, caller) || mergedInto === null ? found : await deps.bills.find(mergedInto);
  if (!into || !mayRead(into, caller)) throw problem('not_found');
  return withoutOverdue(deps, found, context);
}

/** `GET /bills/{id}/history`: returns all changes, oldest first. @throws 404 `not_found` */
export async function getBillHistory(
  { bills }: GetBillDeps,
  { params }: Call<typeof contract.getBillHistory>,
): Promise<ResponseOf<typeof contract.getBillHistory>> {
  const history = await bills.findHistory(params.id);
  if (!history) throw problem('not_found');
  return history.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
}

/** `next` is the next page's cursor; null on the last page. */
export type BillPage = { bills: BillWithOrders[]; next: number | null };

/**
 * `GET /bills`: returns one page, newest first. Staff get all bills. Customers get the bills of their own orders and of their
 * seating.
 */
export async function listBills(
  deps: GetBillDeps,
  { caller, query, context }: Call<typeof listContract>,
): Promise<BillPage> {
  const { bills, orders } = deps;
  const { status, table, seating, number, day, limit = 50, cursor } = query;
  const isStaff = caller.role !== 'customer';
  const scope = isStaff ? null : { seating: caller.seating ?? null, ids: await orders.findBillIdsOf(caller.userId) };
  const withOneMore = await bills.listPage({
    scope,
    statuses: status === undefined ? billStatuses : [...new Set(status.split(',') as BillStatus[])],
    tables: table === undefined ? undefined : await bills.findTableNames(table),
    seating,
    number,
    day,
    since: timeOf(query.since),
    until: timeOf(query.until),
    payment: {
      amountMinor: query.amount === undefined ? undefined : toMinor(query.amount),
      method: query.method,
      recordedBy: query.person,
    },
    below: cursor === undefined ? undefined : Number(cursor),
    limit: limit + 1,
  });
  const page = await Promise.all(withOneMore.slice(0, limit).map((each) => withoutOverdue(deps, each, context)));
  const last = page.at(-1);
  if (!last || withOneMore.length <= limit) return { bills: page, next: null };
  return { bills: page, next: last.bill.id };
}

const timeOf = (instant: string | undefined): Date | undefined =>
  instant === undefined ? undefined : new Date(instant);
