import type { Bill, BillPayment } from '@comanda/contracts/bills';

/** A payment with one of these statuses reserves or has paid its part. */
export const activeStatuses: ReadonlySet<BillPayment['status']> = new Set(['reserved', 'claimed', 'paid', 'refunding']);

/** Whether a guest is paying this line now: it is theirs until they have paid it or cancelled. */
export function isBeingPaid({ payments }: Bill, { id, settled }: Bill['lines'][number]): boolean {
  return payments.some(
    ({ status, part }) =>
      (status === 'reserved' || status === 'claimed') &&
      (part.rest === true ? settled.count > 0 : (part.lines ?? []).some(({ line_id: line }) => line === id)),
  );
}
