import { CallFailure, type Client } from '@comanda/client';
import { followLiveBills } from '@comanda/client/live-bills';
import type { Bill } from '@comanda/contracts/bills';
import { signal } from '@preact/signals';

/** The bills of today: those that are open, and all that were changed since midnight. */
export function followEvening(client: Client) {
  const bills = signal<ReadonlyMap<number, Bill>>(new Map());
  const failure = signal<unknown>(null);
  const isRead = signal(false);
  const midnight = new Date(client.now());
  midnight.setHours(0, 0, 0, 0);
  const sinceMs = midnight.getTime();

  /** Events and pages overtake each other: the highest version counts. */
  function take(found: readonly Bill[]): void {
    const newer = found.filter((bill) => bill.version >= (bills.peek().get(bill.id)?.version ?? 0));
    bills.value = new Map([...bills.peek(), ...newer.map((bill) => [bill.id, bill] as const)]);
  }
  const isOfToday = ({ updated_at: at }: Bill): boolean => Date.parse(at) >= sinceMs;
  async function readToday(): Promise<void> {
    try {
      for await (const page of client.pages('listBills', { status: 'closed', limit: 100 })) {
        take(page.filter(isOfToday));
        if (!page.some(isOfToday)) break; // newest first: those that follow are older
      }
      failure.value = null;
      isRead.value = true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error;
    }
  }
  const live = followLiveBills(client, {
    onChange: (all) => take(all.filter((bill) => bill.status === 'open' || isOfToday(bill))),
    onStanding: ({ status }) => {
      if (status !== 'gap') return;
      bills.value = new Map();
      void readToday();
    },
  });
  void readToday();
  return { bills, failure, isRead, sinceMs, close: live.close };
}
export type Evening = ReturnType<typeof followEvening>;
