import type { Client } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import { restaurant } from '@comanda/client/collections/restaurant';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { computed } from '@preact/signals';
import type { Freed } from '../freed-table.ts';
import type { Notice } from '../notice.ts';
import { openUnsentPayments } from './unsent-payments.ts';

type Deps = {
  client: Client;
  unsent: UnsentList;
  showNotice: (notice: Notice) => void;
  /** A table was freed with its bill: what it is now. */
  onTableFreed: (table: string | null) => Promise<Freed>;
};
export type Paying = ReturnType<typeof openPaying>;
/** Either `percent` or `amount`; of one line, or of the whole bill. */
/** `method`: if it is not given back as it was paid. */
export type NewRefund = { reason: string; method?: 'cash' };
export type NewDiscount = { reason: string; label?: string; line_id?: number } & (
  | { percent: string }
  | { amount: string }
);

/** The bills of the restaurant, and what a waiter does with them. */
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
  async function showEnd(table: string | null, number: number | null): Promise<void> {
    showNotice({ kind: 'ended', number, ...(await onTableFreed(table)) });
  }
  return {
    bills: rows,
    /** True if all bills are loaded: until then, one that is missing may exist. */
    isRead: isLoaded,
    restaurant: computed(() => settings.rows.value[0] ?? null),
    unsent: payments.entries,
    /** Records what was taken: at once if the server can be reached, else as soon as it can. */
    record: payments.addPayment,
    /** Closes the bill, and the table whose seating it was for. */
    end: payments.addEnd,
    forget: payments.forget,
    retry: payments.tryNow,
    /** @throws CallFailure */
    refund: async ({ bill_id: id, id: paymentId }: BillPayment, refund: NewRefund): Promise<void> => {
      await calls.refundBillPayment({ id, payment_id: paymentId, ...refund });
    },
    /** @throws CallFailure */
    discount: async ({ id }: Bill, { key, ...discount }: NewDiscount & { key: string }): Promise<void> => {
      await calls.giveDiscount({ id, ...discount }, { idempotencyKey: key });
    },
    /** @throws CallFailure */
    takeDiscountAway: async ({ id }: Bill, discountId: number): Promise<void> => {
      await calls.takeDiscountAway({ id, discount_id: discountId });
    },
    /** @throws CallFailure */
    setServiceCharge: async ({ id }: Bill, included: boolean): Promise<void> => {
      await calls.setServiceCharge({ id, included });
    },
    newKey: client.newKey,
    close: (): void => {
      settings.close();
      close();
      payments.close();
    },
  };
}
