import { amountOfMinor, minorOf } from '@comanda/contracts/bill-preview';
import type { Bill, PaymentMethod } from '@comanda/contracts/bills';

/** What was taken in one way: amounts without tips. */
export type Taking = { method: PaymentMethod; count: number; amount: string; tips: string };

const methods: readonly PaymentMethod[] = ['cash', 'card', 'other', 'account'];

/** Payments since this time that were not given back, by method; those without any are left out. */
export function takingsOf(bills: readonly Pick<Bill, 'payments'>[], sinceMs: number): readonly Taking[] {
  const taken = bills
    .flatMap(({ payments }) => payments)
    .filter(({ status, settled_at: at }) => status === 'paid' && at !== null && Date.parse(at) >= sinceMs);
  const sumOf = (amounts: readonly string[]): string =>
    amountOfMinor(amounts.reduce((sum, amount) => sum + minorOf(amount), 0n));
  return methods.flatMap((method) => {
    const own = taken.filter((payment) => payment.method === method);
    if (own.length === 0) return [];
    return {
      method,
      count: own.length,
      amount: sumOf(own.map(({ amount }) => amount)),
      tips: sumOf(own.map(({ tip }) => tip)),
    };
  });
}
