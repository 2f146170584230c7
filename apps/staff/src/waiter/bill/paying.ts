import type { Client } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import { restaurant } from '@comanda/client/collections/restaurant';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { type ReadonlySignal, computed, effect, untracked } from '@preact/signals';
import type { ClosedTable } from '../freed-table.ts';
import type { Notice } from '../notice.ts';
import { openUnsentPayments } from './unsent-payments.ts';

type Deps = {
  client: Client;
  unsent: UnsentList;
  showNotice: (notice: Notice) => void;
  /** Called after a table was freed together with its bill. Resolves to the table's current state. */
  onTableFreed: (table: string | null) => Promise<ClosedTable>;
};
export type Paying = ReturnType<typeof openPaying>;
/**
 * A refund. `method` is present if the money isn't refunded by the method of the payment, and `cash_drawer` if it then isn't taken
 * from the main one.
 */
export type NewRefund = { reason: string; method?: 'cash'; cash_drawer?: string };
/** A discount on one line or on the whole bill, as a percentage or as an amount. */
export type NewDiscount = { reason: string; label?: string; line_id?: number } & (
  | { percent: string }
  | { amount: string }
);

/** Follows the restaurant's bills, and makes the changes that waiters make to them. */
export function openPaying({ client, unsent, showNotice, onTableFreed }: Deps) {
  const { calls } = client;
  const settings = client.collection(restaurant);
  const { rows, isLoaded, close } = client.collection(bills);
  const payments = openUnsentPayments({
    client,
    unsent,
    onDone: (done, ended) => {
      if (done.kind === 'payment') return showNotice({ ...done, kind: 'recorded' });
      return void showEnd(ended?.isTableFreed ? done.table : null, ended?.closed.number ?? null);
    },
  });
  const stopFollowing = followPix(rows, ({ amount, tip, pix }, { table, currency }) =>
    showNotice({ kind: 'pix_paid', table, currency, amount, tip, isByStaff: pix?.confirmed_by === 'staff' }),
  );
  async function showEnd(table: string | null, number: number | null): Promise<void> {
    showNotice({ kind: 'ended', number, ...(await onTableFreed(table)) });
  }
  return {
    bills: rows,
    /** True if all bills are loaded. Until then, the list may lack some. */
    isRead: isLoaded,
    restaurant: computed(() => settings.rows.value[0] ?? null),
    unsent: payments.entries,
    /** Records a payment: immediately if the server can be reached, otherwise as soon as it can. */
    record: payments.addPayment,
    /** Closes the bill, and then the table if its guests still have it. */
    end: payments.addEnd,
    forget: payments.forget,
    retry: payments.tryNow,
    /** Refunds a payment. @throws CallFailure */
    refund: async ({ bill_id: id, id: paymentId }: BillPayment, refund: NewRefund): Promise<void> => {
      await calls.refundBillPayment({ id, payment_id: paymentId, ...refund });
    },
    /** Gives a discount. @throws CallFailure */
    discount: async ({ id }: Bill, { key, ...discount }: NewDiscount & { key: string }): Promise<void> => {
      await calls.giveDiscount({ id, ...discount }, { idempotencyKey: key });
    },
    /** Removes a discount. @throws CallFailure */
    takeDiscountAway: async ({ id }: Bill, discountId: number): Promise<void> => {
      await calls.takeDiscountAway({ id, discount_id: discountId });
    },
    /** Adds the service charge to the bill, or removes it. @throws CallFailure */
    setServiceCharge: async ({ id }: Bill, included: boolean): Promise<void> => {
      await calls.setServiceCharge({ id, included });
    },
    newKey: client.newKey,
    close: (): void => {
      stopFollowing();
      settings.close();
      close();
      payments.close();
    },
  };
}

/** Calls `onPaid` for each Pix that was seen unpaid on this screen and is paid now. Returns a function that stops it. */
function followPix(
  followed: ReadonlySignal<readonly Bill[]>,
  onPaid: (payment: BillPayment, bill: Bill) => void,
): () => void {
  const unpaid = new Set<number>();
  return effect(() => {
    for (const bill of followed.value)
      for (const payment of bill.payments) {
        const { id, method, status } = payment;
        if (method !== 'pix') continue;
        if (status === 'paid' && unpaid.delete(id)) untracked(() => onPaid(payment, bill));
        // A Pix that arrives late pays an expired or cancelled payment too.
        if (status === 'reserved') unpaid.add(id);
      }
  });
}
