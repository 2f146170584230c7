import type { Bill } from '@comanda/contracts/bills';
import type { Server, Source } from './resources.ts';

/** How long closed bills stay in the list, in milliseconds, and how many of them at most. */
const closedForMs = 12 * 3600 * 1000;
const maxClosed = 20;

/**
 * The bills that the user may read, newest first: open bills, and bills closed in the last 12 hours. Staff get all of them, guests
 * get the bills for their seating and their own orders. A new order arrives as `order.created`, which does not contain the bill, so
 * the bill is loaded again.
 */
export function billSource({ calls, pages, who, now }: Server): Source<Bill> {
  const isListed = ({ status, closed_at: closedAt }: Bill): boolean =>
    status === 'open' || (closedAt !== null && Date.parse(closedAt) >= now() - closedForMs);
  /**
   * Checks whether the user may read the bill, by the same rule as the server: a moved bill leaves the lists of guests at its old
   * seating.
   */
  function isReadable({ seating, lines }: Bill): boolean {
    const user = who();
    if (user?.role !== 'customer') return true;
    if (user.seating !== undefined && user.seating === seating) return true;
    return lines.some(({ ordered_by: by }) => by.id === user.userId);
  }
  return {
    load: async function* loadBills(options) {
      yield* pages('listBills', { status: 'open', limit: 200 }, options);
      yield await calls.listBills({ status: 'closed', limit: maxClosed }, options);
    },
    loadOne: async (id, options) => (await calls.getBill({ id }, options)) ?? null,
    idOf: ({ id }) => id,
    versionOf: ({ version }) => version,
    rowIn: ({ data }) => ('bill' in data ? data.bill : null),
    changedBy: ({ type, data }) => (type === 'order.created' ? (data.order.bill_id ?? null) : null),
    select: (bills) => {
      const listed = bills.filter((bill) => isListed(bill) && isReadable(bill)).sort((a, b) => b.id - a.id);
      const closed = new Set(listed.filter(({ status }) => status !== 'open').slice(0, maxClosed));
      return listed.filter((bill) => bill.status === 'open' || closed.has(bill));
    },
  };
}
