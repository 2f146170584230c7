import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import type { Server, Source } from '../live/source.ts';

/** Limits for closed bills in the list: the time since they were closed, in milliseconds, and their number. */
const closedForMs = 12 * 3600 * 1000;
const maxClosed = 20;
const idOfBill = ({ bill_id: id }: BillPayment): number => id;

/**
 * The bills that the user may read, newest first: all open bills, and the newest 20 that were closed in the last 12 hours.
 * Staff get all bills. Guests get the bills for their seating and their own orders. Events about new orders and responses to
 * payments do not contain the bill, so the bill is loaded again.
 */
export const bills: Source<Bill> = {
  name: 'bills',
  load: async function* loadBills({ calls, pages }, options) {
    yield* pages('listBills', { status: 'open', limit: 200 }, options);
    yield await calls.listBills({ status: 'closed', limit: maxClosed }, options);
  },
  loadOne: async ({ calls }, id, options) => (await calls.getBill({ id }, options)) ?? null,
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  rowIn: ({ data }) => ('bill' in data ? data.bill : null),
  changedBy: ({ type, data }) => (type === 'order.created' ? (data.order.bill_id ?? null) : null),
  changedByCalls: { payBill: idOfBill, cancelBillPayment: idOfBill, refundBillPayment: idOfBill },
  select: (all, server) => {
    const listed = all.filter((bill) => isListed(bill, server) && isReadable(bill, server)).sort((a, b) => b.id - a.id);
    const closed = new Set(listed.filter(({ status }) => status !== 'open').slice(0, maxClosed));
    return listed.filter((bill) => bill.status === 'open' || closed.has(bill));
  },
};

const isListed = ({ status, closed_at: closedAt }: Bill, { now }: Server): boolean =>
  status === 'open' || (closedAt !== null && Date.parse(closedAt) >= now() - closedForMs);
/**
 * Checks whether the user may read the bill, by the same rule as the server. A bill that was moved to another table disappears
 * for guests at its old seating, unless they ordered something on it.
 */
function isReadable({ seating, lines }: Bill, { who }: Server): boolean {
  const user = who();
  if (user?.role !== 'customer') return true;
  if (user.seating !== undefined && user.seating === seating) return true;
  return lines.some(({ ordered_by: by }) => by.id === user.userId);
}
