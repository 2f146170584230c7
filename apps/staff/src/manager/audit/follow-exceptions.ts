import type { Client, Source } from '@comanda/client/core';
import type { BillChange } from '@comanda/contracts/bills';
import type { Exception } from '@comanda/contracts/exceptions';
import { computed } from '@preact/signals';

/** The changes to a bill that are listed as exceptions. */
const listed: ReadonlySet<BillChange> = new Set([
  'item_cancelled',
  'order_moved',
  'merged',
  'payment_refunded',
  'discount_given',
  'service_charge',
  'reopened',
]);

/** The exceptions since `sinceMs`: cancelled dishes, discounts, refunds and the like. */
const exceptionsSince = (sinceMs: number): Source<Exception> => ({
  load: ({ pages }, options) =>
    pages('listExceptions', { since: new Date(sinceMs).toISOString(), limit: 200 }, options),
  idOf: ({ id }) => id,
  compareEveryMs: 300_000,
});

/** Follows the exceptions since `sinceMs`. */
export function followExceptions(client: Pick<Client, 'collection'>, sinceMs: number) {
  const { rows, state, failure, load, close } = client.collection(exceptionsSince(sinceMs), {
    // The feed's events don't contain exceptions, so the list is loaded again.
    onEvent: ({ type, data }) => {
      if (type === 'bill.changed' && listed.has(data.change.kind)) void load();
    },
  });
  return {
    /** The exceptions; null until they are loaded, and while the service is an earlier release without this list. */
    exceptions: computed(() => (state.value === 'loading' ? null : rows.value)),
    failure: computed(() => (failure.value?.is('not_found') ? null : failure.value)),
    close,
  };
}
