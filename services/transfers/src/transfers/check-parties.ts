import { isCash, isTakings, type AccountFacts } from '../accounts/account.ts';
import type { TransferFacts } from './transfer.ts';

type Transfer = Pick<TransferFacts, 'kind' | 'userId' | 'currency' | 'paymentId'>;
type Parties = { payer: AccountFacts; payee: AccountFacts };

/**
 * Returns why these accounts may not be a transfer's parties; null if they may. Only the owner can send money from a user's
 * account. Only a deposit creates money, from the cash account. Money reaches the takings account only as a bill payment, and
 * leaves it only as a refund. New transfers that break these rules are rejected, and verify-ledger reports stored ones.
 */
export function partiesDefect(
  { kind, userId, currency, paymentId }: Transfer,
  { payer, payee }: Parties,
): string | null {
  if (payer.currency !== currency || payee.currency !== currency) return 'its currency is not that of both accounts';
  const isOfBill = kind === 'bill_payment' || kind === 'bill_refund';
  if (isOfBill !== (paymentId !== null)) return isOfBill ? 'it names no payment' : 'it names a payment of a bill';
  if (isTakings(payee) !== (kind === 'bill_payment'))
    return isTakings(payee) ? 'it pays no bill, but was paid to the takings' : 'it pays a bill, but not to the takings';
  if (isTakings(payer) !== (kind === 'bill_refund'))
    return isTakings(payer) ? 'it is no refund, but was paid by the takings' : 'it is a refund, but not by the takings';
  if (isCash(payee)) return 'it was paid to a cash account';
  if (kind === 'account_deposit') return isCash(payer) ? null : 'it is a deposit, but was not paid by a cash account';
  if (isCash(payer)) return 'it is no deposit, but was paid by a cash account';
  if (kind === 'bill_refund') return payee.ownerId === userId ? 'its user has refunded a payment of their own' : null;
  return payer.ownerId === userId ? null : 'its user is not the owner of the account that paid';
}
