import type { Bill } from '@comanda/contracts/bills';
import type { Client } from '../client.ts';
import { CallFailure } from '../call-failure.ts';
import {
  createChangeDetector,
  createLiveList,
  nullIfNotFound,
  type LiveListHandlers,
  type Change,
  type ChangeSource,
} from './list.ts';

/** How long closed bills stay in the list, in milliseconds, and how many of them at most. */
const closedForMs = 12 * 3600 * 1000;
const maxClosed = 20;

export type LiveBillsHandlers = LiveListHandlers & {
  /** Called with the whole list after every change, and with the differences from the previous call. */
  onChange: (all: readonly Bill[], changes: readonly Change<Bill>[], source: ChangeSource) => void;
};
export type LiveBills = ReturnType<typeof followLiveBills>;

/**
 * Follows the bills that this user may read, newest first: open bills, and bills closed in the last 12 hours. Staff get all
 * bills. Guests get the bills for their seating and for their own orders. Close this list before the client.
 *
 * A new order arrives as `order.created`, which does not contain the bill, so the bill is fetched again.
 */
export function followLiveBills(client: Client, handlers: LiveBillsHandlers) {
  const { feed, calls, pages, who, onWho, now } = client;
  const changesOf = createChangeDetector<Bill>();
  const isListed = ({ status, closed_at: closedAt }: Bill): boolean =>
    status === 'open' || (closedAt !== null && Date.parse(closedAt) >= now() - closedForMs);
  const select = (bills: readonly Bill[]): Bill[] => {
    const listed = bills.filter((bill) => isListed(bill) && isReadable(bill)).sort((a, b) => b.id - a.id);
    const closed = new Set(listed.filter(({ status }) => status !== 'open').slice(0, maxClosed));
    return listed.filter((bill) => bill.status === 'open' || closed.has(bill));
  };
  /** Checks whether the user may read the bill, by the server's rule. A moved bill disappears for guests at its old seating. */
  function isReadable({ seating, lines }: Bill): boolean {
    const user = who();
    if (user?.role !== 'customer') return true;
    if (user.seating !== undefined && user.seating === seating) return true;
    return lines.some(({ ordered_by: by }) => by.id === user.userId);
  }
  async function readAgain(id: number): Promise<void> {
    try {
      const bill = await calls.getBill({ id });
      if (bill) list.apply(bill);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // The next comparison with the server's list fetches the bill.
    }
  }
  const list = createLiveList<Bill>(
    { feed, calls, pages, who, onWho },
    {
      handlers: {
        ...handlers,
        onEvent: (event) => {
          handlers.onEvent?.(event);
          if (event.type === 'order.created' && typeof event.data.order.bill_id === 'number')
            void readAgain(event.data.order.bill_id);
        },
      },
      readList: async function* readBills(callOptions) {
        yield* pages('listBills', { status: 'open', limit: 200 }, callOptions);
        yield await calls.listBills({ status: 'closed', limit: maxClosed }, callOptions);
      },
      readOne: (id, callOptions) => calls.getBill({ id }, callOptions).catch(nullIfNotFound),
      fromEvent: ({ data }) => ('bill' in data ? data.bill : null),
      select,
      onChange: (source) => {
        const bills = list.shown();
        handlers.onChange(bills, changesOf(bills), source);
      },
    },
  );
  const { shown, isRead, isComplete, apply, close } = list;
  return { all: shown, isRead, isComplete, apply, close };
}
