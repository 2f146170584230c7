import { CallFailure, type Client, type FeedEvent } from '@comanda/client';
import type { BillChange } from '@comanda/contracts/bills';
import type { Exception } from '@comanda/contracts/exceptions';
import { signal } from '@preact/signals';

/** What is listed with one of these changes of a bill. */
const listed: ReadonlySet<BillChange> = new Set([
  'item_cancelled',
  'order_moved',
  'merged',
  'payment_refunded',
  'discount_given',
  'service_charge',
  'reopened',
]);

type Options = { sinceMs: number; onRead: (all: readonly Exception[]) => void; onFailed: () => void };

/**
 * What was taken off bills and given back since `sinceMs`, newest first; null until it was read, and while the service is an
 * earlier release without this list. `onRead` is called with each list,
 * `onFailed` when there was none.
 */
export function followExceptions(client: Pick<Client, 'pages'>, { sinceMs, onRead, onFailed }: Options) {
  const exceptions = signal<readonly Exception[] | null>(null);
  const failure = signal<unknown>(null);
  let isReading = false;
  let isStale = false;

  async function readAll(): Promise<void> {
    try {
      const found: Exception[] = [];
      const since = new Date(sinceMs).toISOString();
      for await (const page of client.pages('listExceptions', { since, limit: 200 })) found.push(...page);
      exceptions.value = found;
      failure.value = null;
      onRead(found);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      failure.value = error.is('not_found') ? null : error;
      if (failure.value !== null) onFailed();
    }
  }
  /** One after the other: what comes in the meantime is read after it. */
  async function read(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      await readAll();
    }
    isReading = false;
  }
  const onEvent = ({ type, data }: FeedEvent): void => {
    if (type === 'bill.changed' && listed.has(data.change.kind)) void read();
  };
  return { exceptions, failure, read, onEvent };
}
