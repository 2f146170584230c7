import { CallFailure, type Client, type FeedEvent } from '@comanda/client';
import type { BillChange } from '@comanda/contracts/bills';
import type { Exception } from '@comanda/contracts/exceptions';
import { createRetry } from '@comanda/ui/retry.ts';
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

type Options = { sinceMs: number; onRead: (all: readonly Exception[]) => Promise<void> };

/**
 * What was taken off bills and given back since `sinceMs`, newest first; null until it was read, and while the service is an
 * earlier release without this list. `onRead` reads what a list needs besides: with it, the list counts as read.
 */
export function followExceptions(client: Pick<Client, 'pages'>, { sinceMs, onRead }: Options) {
  const exceptions = signal<readonly Exception[] | null>(null);
  const retry = createRetry(() => void read());
  let isReading = false;
  let isStale = false;

  async function readAll(): Promise<void> {
    try {
      const found: Exception[] = [];
      const since = new Date(sinceMs).toISOString();
      for await (const page of client.pages('listExceptions', { since, limit: 200 })) found.push(...page);
      exceptions.value = found;
      await onRead(found);
      retry.succeed();
    } catch (error) {
      const isOlder = error instanceof CallFailure && error.is('not_found');
      if (!isOlder) retry.fail(error);
    }
  }
  /** One after the other: what comes in the meantime is read after it. */
  async function read(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        await readAll();
      }
    } finally {
      isReading = false;
    }
  }
  const onEvent = ({ type, data }: FeedEvent): void => {
    if (type === 'bill.changed' && listed.has(data.change.kind)) void read();
  };
  return { exceptions, failure: retry.failure, read, onEvent, close: retry.close };
}
