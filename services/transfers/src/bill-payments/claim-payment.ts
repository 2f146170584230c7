import { Problem } from '@comanda/contracts/problem';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import { fromMinor } from '@comanda/contracts/money';
import type { TransferTerms } from '../transfers/transfer.ts';
import type { Orders } from './ask-orders.ts';
import type { AttemptStore } from './attempt-store.ts';
import { firstSweepMs, type Attempt } from './attempt.ts';

export type ClaimPaymentDeps = {
  attempts: Pick<AttemptStore, 'noteAttempt'>;
  orders: Pick<Orders, 'claim'>;
  clock: Clock;
};
type Input = { call: SensitiveCall; attempt: Attempt; terms: Pick<TransferTerms, 'amountMinor' | 'currency'> };
/** Why the orders service has permanently rejected a claim. The journal stores this reason. */
type ClaimRefusal = { code: 'payment_not_payable'; paymentStatus: PaymentStatus };

/**
 * Claims a payment in the orders service for a spent token. After that, only a statement about this token ends the claim: its
 * receipt, its rejection or its expiry. The attempt is stored first, so that any instance can end it. Returns null if the payment
 * is claimed, or the reason why the orders service has rejected the claim.
 * @throws 503 `service_unavailable` if the payment may or may not be claimed; nothing was posted
 */
export async function claimPayment(
  { attempts, orders, clock }: ClaimPaymentDeps,
  { call, attempt, terms }: Input,
): Promise<ClaimRefusal | null> {
  const { jti, paymentId, purpose, tokenExpiresAtMs } = attempt;
  await attempts.noteAttempt(attempt, new Date(clock() + firstSweepMs));
  const claim = {
    purpose,
    jti,
    token_expires_at: new Date(tokenExpiresAtMs).toISOString(),
    total: fromMinor(terms.amountMinor),
    currency: terms.currency,
  };
  try {
    await orders.claim(paymentId, claim, call);
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'payment_not_payable') throw error;
    return { code: error.code, paymentStatus: error.members['payment_status'] as PaymentStatus };
  }
}
