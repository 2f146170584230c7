import type { Bill } from '@comanda/contracts/bills';
import type { Client } from '../client.ts';
import { billSource } from './bills.ts';
import { follow, type FollowHandlers } from './follow.ts';

export type LiveBills = ReturnType<typeof followLiveBills>;

/** Follows the bills that this user may read: see `billSource`. Close this list before the client. */
export function followLiveBills(client: Client, handlers: Omit<FollowHandlers<Bill>, 'known'>) {
  const { rows: all, isRead, isComplete, apply, close } = follow(client, billSource(client), handlers);
  return { all, isRead, isComplete, apply, close };
}
