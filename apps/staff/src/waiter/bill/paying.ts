import type { Client } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Restaurant } from '@comanda/contracts/restaurant';
import { createRetry } from '@comanda/ui/retry.ts';
import { signal } from '@preact/signals';
import type { Freed } from '../freed-table.ts';
import type { Notice } from '../notice.ts';
import { openBills } from './open-bills.ts';
import { openPaymentOutbox } from './payment-outbox.ts';

type Deps = {
  client: Client;
  userId: number;
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
export function openPaying({ client, userId, showNotice, onTableFreed }: Deps) {
  const { calls } = client;
  const restaurant = signal<Restaurant | null>(null);
  const bills = openBills(client);
  const { apply, readAgain } = bills;
  const outbox = openPaymentOutbox({
    client,
    userId,
    onDone: (entry, ended) => {
      if (ended) apply(ended.closed);
      else void readAgain(entry.billId);
      if (entry.kind === 'payment') return showNotice({ ...entry, kind: 'recorded' });
      return void showEnd(ended?.isTableFreed ? entry.table : null, ended?.closed.number ?? null);
    },
  });
  async function showEnd(table: string | null, number: number | null): Promise<void> {
    showNotice({ kind: 'ended', number, ...(await onTableFreed(table)) });
  }
  const retry = createRetry(() => void readRestaurant());
  async function readRestaurant(): Promise<void> {
    try {
      restaurant.value = await calls.getRestaurant();
    } catch (error) {
      retry.fail(error);
    }
  }
  void readRestaurant();

  return {
    bills: bills.listed,
    isRead: bills.isRead,
    find: bills.find,
    read: bills.read,
    apply,
    restaurant,
    unanswered: outbox.entries,
    /** Records what was taken: at once if the server can be reached, else as soon as it can. */
    record: outbox.addPayment,
    /** Closes the bill, and the table whose seating it was for. */
    end: outbox.addEnd,
    forget: outbox.forget,
    retry: (): void => {
      outbox.tryNow();
      void readRestaurant();
    },
    /** @throws CallFailure */
    refund: async ({ bill_id: id, id: paymentId }: BillPayment, refund: NewRefund): Promise<void> => {
      await calls.refundBillPayment({ id, payment_id: paymentId, ...refund });
      await readAgain(id);
    },
    /** @throws CallFailure */
    discount: async ({ id }: Bill, { key, ...discount }: NewDiscount & { key: string }): Promise<void> =>
      apply(await calls.giveDiscount({ id, ...discount }, { idempotencyKey: key })),
    /** @throws CallFailure */
    takeDiscountAway: async ({ id }: Bill, discountId: number): Promise<void> =>
      apply(await calls.takeDiscountAway({ id, discount_id: discountId })),
    /** @throws CallFailure */
    setServiceCharge: async ({ id }: Bill, included: boolean): Promise<void> =>
      apply(await calls.setServiceCharge({ id, included })),
    newKey: client.newKey,
    close: (): void => {
      retry.close();
      bills.close();
      outbox.close();
    },
  };
}
