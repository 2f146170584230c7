import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';

/** Statuses of payments that have reserved or paid a part of the bill. */
export const activeStatuses: ReadonlySet<BillPayment['status']> = new Set(['reserved', 'claimed', 'paid', 'refunding']);

/**
 * Returns true if a guest is paying for this line at the moment. The line stays reserved until the guest pays or cancels, or the
 * reservation ends.
 */
export function isBeingPaid({ payments }: Bill, { id, settled }: Bill['lines'][number]): boolean {
  return payments.some(
    ({ status, part }) =>
      (status === 'reserved' || status === 'claimed') &&
      (part.rest === true ? settled.count > 0 : (part.lines ?? []).some(({ line_id: line }) => line === id)),
  );
}
