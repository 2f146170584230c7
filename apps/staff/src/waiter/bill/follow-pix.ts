import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { effect, untracked, type ReadonlySignal } from '@preact/signals';

/** Calls `onPaid` for each Pix that was seen unpaid on this screen and is paid now. Returns a function that stops it. */
export function followPix(
  bills: ReadonlySignal<readonly Bill[]>,
  onPaid: (payment: BillPayment, bill: Bill) => void,
): () => void {
  const unpaid = new Set<number>();
  return effect(() => {
    for (const bill of bills.value)
      for (const payment of bill.payments) {
        const { id, method, status } = payment;
        if (method !== 'pix') continue;
        if (status === 'paid' && unpaid.delete(id)) untracked(() => onPaid(payment, bill));
        // A Pix that arrives late pays an expired or cancelled payment too.
        if (status === 'reserved') unpaid.add(id);
      }
  });
}
