import { CallFailure, type Client, type Source } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import type { Bill } from '@comanda/contracts/bills';
import { computed } from '@preact/signals';
import { followExceptions } from '../audit/follow-exceptions.ts';

type Load = Parameters<Source<Bill>['load']>;
/** The longest time between a party's first order and its payment, in milliseconds. */
const longestPartyMs = 24 * 3_600_000;

/** The bills of a business day: open ones, and all that have changed since the day started, at `sinceMs`. */
const billsSince = (sinceMs: number): Source<Bill> => ({
  ...bills,
  load: async function* loadBills(server, options) {
    yield* server.pages('listBills', { status: 'open', limit: 200 }, options);
    for await (const page of server.pages('listBills', { status: 'closed', limit: 100 }, options)) {
      yield page;
      // Each page is sorted by when the bills were opened, newest first.
      if (!page.some(({ created_at: at }) => Date.parse(at) >= sinceMs - longestPartyMs)) break;
    }
    yield* refundedSince(sinceMs, server, options);
  },
  select: (all) => all.filter(({ status, updated_at: at }) => status === 'open' || Date.parse(at) >= sinceMs),
  compareEveryMs: 300_000,
});

/**
 * Loads bills with a payment that was refunded today. The payment and its bill may be from an earlier day. Release 1.0.0 of the
 * orders service has no list of refunds.
 */
async function* refundedSince(sinceMs: number, { calls, pages }: Load[0], options: Load[1]) {
  try {
    for await (const page of pages('listExceptions', { since: new Date(sinceMs).toISOString(), limit: 200 }, options))
      for (const { kind, bill_id: id } of page)
        if (kind === 'refunded' && id !== null) yield [await calls.getBill({ id }, options)];
  } catch (error) {
    if (!(error instanceof CallFailure && error.is('not_found'))) throw error;
  }
}

/** Follows a business day's bills, and the exceptions since the day started, at `sinceMs`. */
export function followEvening(client: Client, sinceMs: number) {
  const list = client.collection(billsSince(sinceMs));
  const takenOff = followExceptions(client, sinceMs);
  const close = (): void => {
    takenOff.close();
    list.close();
  };
  /** Why something could not be loaded. It is shown only once, even if both lists failed. */
  const failure = computed(() => list.failure.value ?? takenOff.failure.value);
  return { bills: list.rows, failure, isLoaded: list.isLoaded, takenOff, sinceMs, close };
}
export type Evening = ReturnType<typeof followEvening>;
