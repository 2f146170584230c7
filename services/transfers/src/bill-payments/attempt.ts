import type { AccountPayment, ClaimPurpose } from '@comanda/contracts/internal';
import type { TransferKind } from '@comanda/contracts/accounts';
import type { Row } from '../transfers/journal-row.ts';
import { undecidedMs } from '../transfers/step-up-token.ts';

/** The use of one step-up token to pay or refund one payment. It is stored before the payment is claimed. */
export type Attempt = { jti: string; paymentId: number; purpose: ClaimPurpose; tokenExpiresAtMs: number };

/** How long the instance that started an attempt has to end it before the sweep does. */
export const firstSweepMs = 5_000;

const purposes: Partial<Record<TransferKind, ClaimPurpose>> = { bill_payment: 'payment', bill_refund: 'refund' };
/** Returns whether a transfer pays or refunds a bill. @throws Error for a transfer that does not belong to a bill */
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
 * Checks whether a payment may be paid or refunded with the token `jti`. The payment must be unclaimed, or claimed with this
 * token in a call whose response was lost.
 */
export const isPayable = (
  { status, claim }: Pick<AccountPayment, 'status' | 'claim'>,
  { purpose, jti }: { purpose: ClaimPurpose; jti: string | undefined },
): boolean =>
  status === begin[purpose] ||
  (status === during[purpose] && claim !== null && claim.purpose === purpose && claim.jti === jti);

/**
 * Returns how to end an attempt that its instance did not end. If the journal has decided, report the decision to orders
 * (`settle`). Otherwise, `wait` while the token may still post, and invalidate it after that (`expire`), which decides.
 */
export function nextStep(
  row: Pick<Row, 'status'> | null,
  { tokenExpiresAtMs, nowMs }: { tokenExpiresAtMs: number; nowMs: number },
): 'wait' | 'expire' | 'settle' {
  if (row) return 'settle';
  return nowMs < tokenExpiresAtMs + undecidedMs ? 'wait' : 'expire';
}
