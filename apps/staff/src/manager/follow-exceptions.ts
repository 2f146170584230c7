import type { Client, Source } from '@comanda/client/core';
import type { BillChange } from '@comanda/contracts/bills';
import type { Exception } from '@comanda/contracts/exceptions';
import { computed } from '@preact/signals';

/** Changes of a bill that are exceptions. */
const listed: ReadonlySet<BillChange> = new Set([
  'item_cancelled',
  'order_moved',
  'merged',
  'payment_refunded',
  'discount_given',
  'service_charge',
  'reopened',
]);

/** What was removed from bills and refunded since `sinceMs`. */
const exceptionsSince = (sinceMs: number): Source<Exception> => ({
  load: ({ pages }, options) =>
    pages('listExceptions', { since: new Date(sinceMs).toISOString(), limit: 200 }, options),
  idOf: ({ id }) => id,
  compareEveryMs: 300_000,
});

/** Follows what was removed from bills and refunded since `sinceMs`. */
export function followExceptions(client: Pick<Client, 'collection'>, sinceMs: number) {
  const { rows, state, failure, load, close } = client.collection(exceptionsSince(sinceMs), {
    // The events lack the exceptions.
    onEvent: ({ type, data }) => {
      if (type === 'bill.changed' && listed.has(data.change.kind)) void load();
    },
  });
  return {
    /** Null until they are loaded, and while the service is an earlier release without this list. */
    exceptions: computed(() => (state.value === 'loading' ? null : rows.value)),
    failure: computed(() => (failure.value?.is('not_found') ? null : failure.value)),
    close,
  };
}
