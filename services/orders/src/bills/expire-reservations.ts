import { setTimeout as sleep } from 'node:timers/promises';
import { newTraceparent } from '@comanda/shared/tracing/trace-context';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { BatchState } from '../batch/batch-state.ts';
import { expireReservations, isOverdue } from './account-payment.ts';
import { enterBill } from '../batch/record-bill-change.ts';
import type { BillStore } from './bill-store.ts';
import type { BillWithOrders } from './bill.ts';
import type { BillWriter } from '../batch/decide-bill-change.ts';

/** Enters the end of each reservation whose time has passed, before anything else is decided about its bill. */
export function endOverdueReservations({ bills, now }: BatchState, traceparent: string): void {
  for (const work of bills.byId.values())
    for (const change of expireReservations(work.bill, now)) {
      const payment = change.bill.payments.find(({ id }) => id === change.entry?.paymentId);
      // Nobody does it: the history names whose reservation it was.
      if (payment) enterBill(work, { ...change, context: { actor: payment.recordedBy, traceparent }, now });
    }
}

export type ExpireDeps = { writer: BillWriter; clock: Clock };

/**
 * The bill as it is at this moment: if a reservation has ended and is stored as reserved, that is written first.
 * @throws 503 `service_unavailable`
 */
export async function upToDate(
  { writer, clock }: ExpireDeps,
  found: BillWithOrders,
  { traceparent }: { traceparent: string },
): Promise<BillWithOrders> {
  const { bill } = found;
  const overdue = bill.payments.find((payment) => isOverdue(payment, new Date(clock())));
  if (!overdue) return found;
  const context = { actor: overdue.recordedBy, traceparent };
  // The writer ends what is overdue on every bill that it loads.
  const { written } = await writer.changeBill({
    billId: bill.id,
    context,
    request: null,
    apply: (_state, work) => work,
  });
  return written;
}

type SweepDeps = ExpireDeps & { bills: Pick<BillStore, 'find' | 'findIdsWithOverdue'> };

/** Ends the reservations whose time has passed on bills that nobody reads. */
async function sweepReservations(deps: SweepDeps): Promise<void> {
  const { bills, clock } = deps;
  for (const id of await bills.findIdsWithOverdue(new Date(clock()))) {
    const found = await bills.find(id);
    if (found) await upToDate(deps, found, { traceparent: newTraceparent() });
  }
}

const everyMs = 5000;

/** Sweeps every 5 s. Several instances may do so at the same time. Returns a function that ends this. */
export function keepSweepingReservations(
  deps: SweepDeps & { isReady: () => boolean; logger: Logger },
): () => Promise<void> {
  const { isReady, logger } = deps;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (isReady()) await sweepReservations(deps);
      } catch (error) {
        logger.warn({ err: error }, 'could not end reservations');
      }
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined); // aborted by the end
    }
  }
  const running = run();
  return async () => {
    shutdown.abort();
    await running;
  };
}
