import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import type { PaymentMethod } from '@comanda/contracts/bill-payments';
import { hasArrived } from '@comanda/ui/bill/paid-by.ts';

/** The amount taken by one method, minus the amount refunded by it, without tips. */
export type Taking = {
  method: PaymentMethod;
  count: number;
  refunds: number;
  /** The refunded amount, which is already subtracted from `amount`. */
  refunded: string;
  amount: string;
  tips: string;
};

const methods: readonly PaymentMethod[] = ['cash', 'card', 'other', 'account', 'pix'];

/**
 * Adds up payments and refunds since this time, by method; methods without any are left out. A refund counts on the day and by
 * the method in which it was paid out.
 */
export function takingsOf(bills: readonly Pick<Bill, 'payments'>[], sinceMs: number): readonly Taking[] {
  const payments = bills.flatMap((bill) => bill.payments);
  const isSince = (at: string | null | undefined): boolean => typeof at === 'string' && Date.parse(at) >= sinceMs;
  const paid = payments.filter((payment) => hasArrived(payment) && isSince(payment.settled_at));
  const refunded = payments.filter(({ refund }) => isSince(refund?.at));
  const sumOf = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + toMinor(amount), 0n);
  return methods.flatMap((method) => {
    const taken = paid.filter((payment) => payment.method === method);
    const back = refunded.filter(({ refund }) => refund?.method === method);
    if (taken.length + back.length === 0) return [];
    const net = (part: 'amount' | 'tip'): string =>
      fromMinor(sumOf(taken.map((each) => each[part])) - sumOf(back.map((each) => each[part])));
    return {
      method,
      count: taken.length,
      refunds: back.length,
      refunded: fromMinor(sumOf(back.map(({ amount }) => amount))),
      amount: net('amount'),
      tips: net('tip'),
    };
  });
}
