import type { AccountPayment, ClaimPurpose } from '@comanda/contracts/internal';
import type { TransferKind } from '@comanda/contracts/accounts';
import type { Row } from '../transfers/journal-row.ts';
import { undecidedMs } from '../transfers/step-up-token.ts';

/**
 * An attempt to pay or refund a payment with one step-up token. It is stored before the payment is claimed in the orders service.
 */
export type Attempt = { jti: string; paymentId: number; purpose: ClaimPurpose; tokenExpiresAtMs: number };

/** How long the instance that started an attempt has to end it, in milliseconds. After that, the sweep ends it. */
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
 * Returns true if the payment can be paid or refunded with the token `jti`. It must be unclaimed, or claimed with this token by
 * an earlier call whose response was lost.
 */
export const isPayable = (
  { status, claim }: Pick<AccountPayment, 'status' | 'claim'>,
  { purpose, jti }: { purpose: ClaimPurpose; jti: string | undefined },
): boolean =>
  status === begin[purpose] ||
  (status === during[purpose] && claim !== null && claim.purpose === purpose && claim.jti === jti);

/**
 * Returns the next step for an attempt that its instance has not ended. `settle`: the journal has a decision to report to the
 * orders service. `wait`: the token may still be used to post. `expire`: the token can be declared expired in the journal.
 */
export function nextStep(
  row: Pick<Row, 'status'> | null,
  { tokenExpiresAtMs, nowMs }: { tokenExpiresAtMs: number; nowMs: number },
): 'wait' | 'expire' | 'settle' {
  if (row) return 'settle';
  return nowMs < tokenExpiresAtMs + undecidedMs ? 'wait' : 'expire';
}
