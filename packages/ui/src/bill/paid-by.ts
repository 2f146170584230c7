import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';

/** Returns how much these users have paid towards the bill from their accounts, without tips: `"0.00"` if nothing. */
export function paidBy({ payments }: Bill, isOwn: (userId: number) => boolean): string {
  const own = payments.filter(({ status, payer }) => status === 'paid' && payer !== null && isOwn(payer.id));
  return fromMinor(own.reduce((sum, { amount }) => sum + toMinor(amount), 0n));
}
