import type { PixPurpose, PixRefusal, PixStatement } from '@comanda/contracts/pix-internal';
import type { Actor } from '../actor.ts';

/** A statement by the transfers service whose signature was verified. */
export type ProvenStatement = Omit<PixStatement, 'by' | 'iat'> & { by: Actor | null };

/** What was decided about a statement. The same decision is returned for every copy of the statement. */
export type PixDecision = {
  /** Identifies the statement: what it is about, without the time when it was signed. */
  key: string;
  purpose: PixPurpose;
  /** Null for a confirmation by staff. */
  endToEndId: string | null;
  outcome: 'accepted' | 'refused';
  /** Null if it was accepted. */
  reason: PixRefusal | null;
  /** The payment that it was decided about; null if there is none. */
  paymentId: number | null;
};

/** Returns the key of a statement. Two statements with the same key get the same decision. */
export const keyOf = (statement: ProvenStatement): string =>
  [
    statement.purpose,
    statement.end_to_end_id ?? statement.confirmation_id,
    statement.payment_id ?? '-',
    statement.payment_created_at ?? '-',
    statement.refund_id ?? '-',
  ].join(' ');
