import type { AccountPayment, ClaimPurpose } from '@comanda/contracts/bills';
import type { TransferKind } from '@comanda/contracts/transfers';
import type { Row } from '../transfers/journal-row.ts';
import { undecidedMs } from '../transfers/step-up-token.ts';

/** One step-up token used to pay or refund one payment. It is stored before the payment is claimed. */
export type Attempt = { jti: string; paymentId: number; purpose: ClaimPurpose; tokenExpiresAtMs: number };

/** How long an attempt is left to the instance that started it. */
export const firstSweepMs = 5_000;

const purposes: Partial<Record<TransferKind, ClaimPurpose>> = { bill_payment: 'payment', bill_refund: 'refund' };
/** @throws Error for a kind that belongs to no bill */
export function purposeOf(kind: TransferKind): ClaimPurpose {
  const purpose = purposes[kind];
  if (!purpose) throw new Error(`a ${kind} belongs to no bill`);
  return purpose;
}

const [begin, during] = [
  { payment: 'reserved', refund: 'paid' },
  { payment: 'claimed', refund: 'refunding' },
] as const;
/**
 * Whether a payment may be paid or refunded with the token `jti`. It must be unclaimed, or claimed by this very token with a lost
 * response.
 */
export const isPayable = (
  { status, claim }: Pick<AccountPayment, 'status' | 'claim'>,
  { purpose, jti }: { purpose: ClaimPurpose; jti: string | undefined },
): boolean =>
  status === begin[purpose] ||
  (status === during[purpose] && claim !== null && claim.purpose === purpose && claim.jti === jti);

/**
 * How to end an attempt that its instance did not end: report the journal's decision to orders. Without a decision, wait while
 * the token may still post; after that, invalidate it, which decides.
 */
export function nextStep(
  row: Pick<Row, 'status'> | null,
  { tokenExpiresAtMs, nowMs }: { tokenExpiresAtMs: number; nowMs: number },
): 'wait' | 'expire' | 'settle' {
  if (row) return 'settle';
  return nowMs < tokenExpiresAtMs + undecidedMs ? 'wait' : 'expire';
}
