import { newTraceparent } from '@comanda/shared/tracing/trace-context';
import type { Clock } from '@comanda/shared/runtime/clock';
import { every } from '@comanda/shared/runtime/every';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { OrderWriter } from '../batch/order-writer.ts';
import { isOverdue } from './account-payment.ts';
import type { BillStore } from './bill-store.ts';
import type { BillWithOrders } from './bill.ts';

export type ExpireDeps = { writer: Pick<OrderWriter, 'write'>; clock: Clock };

/**
 * Returns the bill as it is now. If a reservation is overdue but still stored as reserved, ends the reservation first.
 * @throws 503 `service_unavailable`
 */
export async function withoutOverdue(
  { writer, clock }: ExpireDeps,
  found: BillWithOrders,
  { traceparent }: { traceparent: string },
): Promise<BillWithOrders> {
  const { bill } = found;
  const overdue = bill.payments.find((payment) => isOverdue(payment, new Date(clock())));
  if (!overdue) return found;
  const written = await writer.write({
    kind: 'change_bill',
    context: { actor: overdue.recordedBy, traceparent },
    request: null,
    billId: bill.id,
    reader: null,
    ifMatch: undefined,
    change: { kind: 'end_overdue_reservations' },
  });
  return written.bill;
}

type SweepDeps = ExpireDeps & { bills: Pick<BillStore, 'find' | 'findIdsWithOverdue'> };

/** Ends overdue reservations on bills that no user opens. */
async function sweepReservations(deps: SweepDeps): Promise<void> {
  const { bills, clock } = deps;
  for (const id of await bills.findIdsWithOverdue(new Date(clock()))) {
    const found = await bills.find(id);
    if (found) await withoutOverdue(deps, found, { traceparent: newTraceparent() });
  }
}

const everyMs = 5000;
type KeepSweeping = SweepDeps & { isReady: () => boolean; logger: Logger };

/**
 * Starts to end overdue reservations every 5 s. Several instances may do so at the same time. Returns a function that stops this.
 */
export function keepSweepingReservations({ isReady, logger, ...deps }: KeepSweeping): () => Promise<void> {
  const run = (): Promise<void> => sweepReservations(deps);
  return every({ run, everyMs, isReady, logger, failure: 'could not end reservations' }).close;
}
