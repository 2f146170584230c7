import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';

/** The statuses in which a payment has reserved or paid its part of the bill. */
export const activeStatuses: ReadonlySet<BillPayment['status']> = new Set(['reserved', 'claimed', 'paid', 'refunding']);

/** Returns true if a guest is paying for this line now. The line stays reserved until they pay or cancel. */
export function isBeingPaid({ payments }: Bill, { id, settled }: Bill['lines'][number]): boolean {
  return payments.some(
    ({ status, part }) =>
      (status === 'reserved' || status === 'claimed') &&
      (part.rest === true ? settled.count > 0 : (part.lines ?? []).some(({ line_id: line }) => line === id)),
  );
}
