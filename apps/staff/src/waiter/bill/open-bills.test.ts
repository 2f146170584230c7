import { expect, test } from '@jest/globals';
import type { FeedEvent, FeedHandlers } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import { openBills } from './open-bills.ts';

test.each(['merged', 'closed'] as const)(
  'when a page asks for a %s bill that the list leaves out, then it has it, and what changes of it',
  async (status) => {
    const bill = (version: number) => ({ id: 1, version, status, closed_at: '2026-11-20T21:00:00.000Z' }) as Bill;
    const feed: FeedHandlers = {};
    const client = {
      now: () => Date.parse('2026-11-23T21:00:00.000Z'),
      who: () => ({ role: 'waiter', userId: 1 }),
      onWho: () => () => undefined,
      feed: (given: FeedHandlers) => {
        Object.assign(feed, given);
        return { close: () => undefined, checksums: () => null };
      },
      calls: { listBills: () => Promise.resolve([]), getBill: () => Promise.resolve(bill(1)) },
      pages: function* none() {
        yield [];
      },
    };
    const bills = openBills(client as never);
    const tell = (version: number): void =>
      feed.onEvent?.({ type: 'bill.changed', data: { bill: bill(version) } } as unknown as FeedEvent, 'cursor');

    await bills.read(1);
    expect(bills.find(1)?.version).toBe(1);
    bills.apply(bill(3));
    tell(2);
    expect(bills.find(1)?.version).toBe(3);
    tell(4);
    expect(bills.find(1)?.version).toBe(4);
    feed.onStanding?.({ status: 'gap' });
    expect(bills.find(1)).toBeUndefined(); // the page reads it again
    bills.close();
  },
);
