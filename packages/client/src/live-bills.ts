import type { Bill } from '@comanda/contracts/bills';
import type { Client } from './client.ts';
import { bills } from './collections/bills.ts';
import { follow, type HandlersOf } from './live.ts';

export type LiveBillsHandlers = HandlersOf<Bill>;
export type LiveBills = ReturnType<typeof followLiveBills>;

/**
 * Follows the bills that this user may read, newest first: open bills, and bills closed in the last 12 hours. Staff get all
 * bills. Guests get the bills for their seating and for their own orders.
 */
export function followLiveBills(client: Client, handlers: LiveBillsHandlers) {
  const { all, isRead, isComplete, load, apply, close } = follow(client, bills, handlers);
  /** Loads a bill that another program has changed. If this fails, the next comparison with the server loads it. */
  const readAgain = (id: number): Promise<void> => load(id);
  return { all, isRead, isComplete, apply, readAgain, close };
}
