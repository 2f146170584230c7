import type { Client } from '@comanda/client';
import { followLiveBills } from '@comanda/client/live-bills';
import type { Bill } from '@comanda/contracts/bills';
import { createRetry } from '@comanda/ui/retry.ts';
import { computed, signal } from '@preact/signals';
import { followExceptions } from './follow-exceptions.ts';

/** A party that pays on a business day came at most so long before it began. */
const longestPartyMs = 24 * 3_600_000;

/** The bills of a business day: those that are open, and all that were changed since it began, at `sinceMs`. */
export function followEvening(client: Client, sinceMs: number) {
  const bills = signal<ReadonlyMap<number, Bill>>(new Map());
  /** Whether all that were changed since then are here. */
  const isRead = signal(false);
  const areOpenRead = signal(false);
  const retry = createRetry(() => void readToday());

  /** Events and pages overtake each other: the highest version counts. */
  function take(found: readonly Bill[]): void {
    const newer = found.filter((bill) => bill.version >= (bills.peek().get(bill.id)?.version ?? 0));
    bills.value = new Map([...bills.peek(), ...newer.map((bill) => [bill.id, bill] as const)]);
  }
  /** A payment of another day that was given back today stands on a bill of that day. */
  async function readRefunded(ids: readonly number[]): Promise<void> {
    for (const id of ids) take(await readBill(client, id));
  }
  const takenOff = followExceptions(client, {
    sinceMs,
    onRead: async (all) => {
      const ids = all.flatMap(({ kind, bill_id: id }) => (kind === 'refunded' ? (id ?? []) : []));
      await readRefunded([...new Set(ids)].filter((id) => !bills.peek().has(id)));
    },
  });
  async function readToday(): Promise<void> {
    try {
      for await (const page of closedPages(client, sinceMs)) take(page.filter((bill) => isSince(bill, sinceMs)));
      retry.succeed();
      isRead.value = true;
    } catch (error) {
      retry.fail(error);
    }
  }
  /** Bills that are not open any more, and whose end no event has told. */
  function forgetEnded(ids: readonly number[]): void {
    if (ids.length === 0) return;
    bills.value = new Map([...bills.peek()].filter(([id]) => !ids.includes(id)));
    void readToday();
  }
  const live = followLiveBills(client, {
    onChange: (all, changes) => {
      areOpenRead.value = live.isRead();
      take(all.filter((bill) => bill.status === 'open' || isSince(bill, sinceMs)));
      const left = changes.flatMap((change) => (change.kind === 'removed' ? change.before.id : []));
      forgetEnded(left.filter((id) => bills.peek().get(id)?.status === 'open'));
    },
    onEvent: (event) => {
      const { data } = event;
      takenOff.onEvent(event);
      // The list leaves out merged bills, and closed ones but the newest.
      if ('bill' in data) take([data.bill]);
    },
    onStanding: ({ status }) => {
      // What happened since it was read, and before events come.
      if (status === 'live') void takenOff.read();
      if (status !== 'gap') return;
      isRead.value = false;
      bills.value = new Map();
      void readToday();
    },
  });
  void readToday();
  void takenOff.read();
  const close = (): void => {
    retry.close();
    takenOff.close();
    live.close();
  };
  /** Why something is missing: said once, also if both lists are. */
  const failure = computed(() => retry.failure.value ?? takenOff.failure.value);
  return { bills, failure, isRead, areOpenRead, takenOff, sinceMs, close };
}
export type Evening = ReturnType<typeof followEvening>;

const isSince = ({ updated_at: at }: Bill, sinceMs: number): boolean => Date.parse(at) >= sinceMs;

async function readBill({ calls }: Client, id: number): Promise<readonly Bill[]> {
  const bill = await calls.getBill({ id });
  return bill ? [bill] : [];
}

/** Pages of closed bills, as far back as one may have been paid since then. */
async function* closedPages({ pages }: Client, sinceMs: number): AsyncIterable<readonly Bill[]> {
  for await (const page of pages('listBills', { status: 'closed', limit: 100 })) {
    yield page;
    // In the order in which they were begun, the newest first.
    if (!page.some(({ created_at: at }) => Date.parse(at) >= sinceMs - longestPartyMs)) return;
  }
}
