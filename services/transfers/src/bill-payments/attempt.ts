import type { AccountPayment, ClaimPurpose } from '@comanda/contracts/bills';
import type { TransferKind } from '@comanda/contracts/transfers';
import type { Row } from '../transfers/journal-row.ts';
import { undecidedMs } from '../transfers/step-up-token.ts';

/** One step-up token that is used to pay or give back one payment. It is stored before the payment is claimed. */
export type Attempt = { jti: string; paymentId: number; purpose: ClaimPurpose; tokenExpiresAtMs: number };

/** An attempt is left to the instance that began it for this long. */
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
 * Whether a payment may be paid or given back with the token `jti`: nobody has begun, or this very token has, and the
 * answer to its claim was lost.
 */
export const isPayable = (
  { status, claim }: Pick<AccountPayment, 'status' | 'claim'>,
  { purpose, jti }: { purpose: ClaimPurpose; jti: string | undefined },
): boolean =>
  status === begin[purpose] ||
  (status === during[purpose] && claim !== null && claim.purpose === purpose && claim.jti === jti);

/**
 * What ends an attempt whose instance does not: orders is told what the journal has decided. While the token may still
 * post, nobody decides; after that, it is taken out of use, which decides.
 */
export function nextStep(
  row: Pick<Row, 'status'> | null,
  { tokenExpiresAtMs, nowMs }: { tokenExpiresAtMs: number; nowMs: number },
): 'wait' | 'expire' | 'settle' {
  if (row) return 'settle';
  return nowMs < tokenExpiresAtMs + undecidedMs ? 'wait' : 'expire';
}
