import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';

/** Returns how much these users have paid towards the bill from their accounts, without tips: `"0.00"` if nothing. */
export function paidBy({ payments }: Bill, isOwn: (userId: number) => boolean): string {
  const own = payments.filter(({ status, payer }) => status === 'paid' && payer !== null && isOwn(payer.id));
  return fromMinor(own.reduce((sum, { amount }) => sum + toMinor(amount), 0n));
}

/** Returns true if the payment's money has arrived, even if it was refunded since. */
export const hasArrived = ({ status, refund }: BillPayment): boolean =>
  status === 'paid' || status === 'refunding' || (status === 'refunded' && Boolean(refund));
