import type { PixReceipt as ReceiptResponse, PixReceiptState, PixRefundStatus } from '@comanda/contracts/pix';
import { fromMinor } from '@comanda/contracts/money';
import type { Role } from '@comanda/contracts/endpoint';
import type { Minor } from '../money.ts';
import type { BankPix } from './bank.ts';

export type Author = { id: number; name: string; role: Role };
/** A payment, as a statement names it. */
export type NamedPayment = { id: number; createdAt: Date };

export type Refund = {
  /** The id of the refund at the bank. */
  id: string;
  status: PixRefundStatus;
  at: Date;
  by: Author;
  /** The statement of auth-stepup that `by` has approved this refund with the PIN, and the id of its token. */
  consent: string;
  jti: string;
  /** The idempotency key and the fingerprint of its request; null if it had none. */
  request: { key: string; fingerprint: string } | null;
  /** When the bank first refused it without a final word; null if it hasn't. */
  deniedAt: Date | null;
};

/** Money that the bank has seen. */
export type PixReceipt = {
  endToEndId: string;
  amountMinor: Minor;
  receivedAt: Date;
  txid: string | null;
  note: string | null;
  /** The id of the payment that it pays, or for which orders was last asked; null if none is known. */
  paymentId: number | null;
  /** The payment that statements name: that of the charge, or the assigned one. Null if there is none. */
  named: NamedPayment | null;
  /** Who assigned it; null if it found its payment by its charge. */
  assignedBy: Author | null;
  state: PixReceiptState;
  /** Why orders rejected it; null if it didn't. */
  refusal: string | null;
  /** How much the bank has returned by itself. */
  returnedMinor: Minor;
  dismissed: { reason: string; at: Date; by: Author } | null;
  refunds: readonly Refund[];
  /** When the sweep looks at it next; null if nothing is left to do. */
  nextAt: Date | null;
  /** True if orders was restored, and must be told again what became of it. */
  tellsAgain: boolean;
  version: number;
};

/** How long after a step another instance may take over, in milliseconds. */
export const nextStepMs = 2000;

export function newReceipt(pix: BankPix, { named, now }: { named: NamedPayment | null; now: Date }): PixReceipt {
  const { endToEndId, amountMinor, receivedAt, txid, note } = pix;
  return {
    endToEndId,
    amountMinor,
    receivedAt,
    txid,
    note,
    paymentId: named?.id ?? null,
    named,
    assignedBy: null,
    state: 'settling',
    refusal: null,
    returnedMinor: 0n,
    dismissed: null,
    refunds: [],
    nextAt: new Date(now.getTime() + nextStepMs),
    tellsAgain: false,
    version: 1,
  };
}

/** The states in which each call is accepted. */
export const mayBe = {
  assigned: ['unmatched', 'dismissed'],
  dismissed: ['unmatched'],
  refunded: ['settled', 'unmatched', 'dismissed'],
} as const satisfies Record<string, readonly PixReceiptState[]>;

export const currentRefund = ({ refunds }: PixReceipt): Refund | null =>
  refunds.find(({ status }) => status === 'processing') ?? null;

/** Changes the refund with this id. */
export const withRefund = ({ refunds }: PixReceipt, id: string, change: Partial<Refund>): Refund[] =>
  refunds.map((refund) => (refund.id === id ? { ...refund, ...change } : refund));

/**
 * Returns how much the bank has returned by itself: what is `DEVOLVIDO`, and none of our refunds. A refund of ours that counts as
 * failed, but that the bank has done after all, is among it.
 */
export const returnedByBank = ({ refunds }: PixReceipt, { returns }: BankPix): Minor =>
  returns
    .filter(
      ({ id, status }) =>
        status === 'DEVOLVIDO' && !refunds.some((refund) => refund.id === id && refund.status !== 'failed'),
    )
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

const toAuthor = ({ id, name }: Author) => ({ id, name });

export const toReceiptResponse = (receipt: PixReceipt): ReceiptResponse => ({
  end_to_end_id: receipt.endToEndId,
  amount: fromMinor(receipt.amountMinor),
  received_at: receipt.receivedAt.toISOString(),
  txid: receipt.txid,
  payment_id: receipt.paymentId,
  state: receipt.state,
  reason: receipt.returnedMinor > 0n ? 'returned' : receipt.refusal,
  dismissed: receipt.dismissed && {
    reason: receipt.dismissed.reason,
    at: receipt.dismissed.at.toISOString(),
    by: toAuthor(receipt.dismissed.by),
  },
  note: receipt.note,
  refunds: receipt.refunds.map(({ id, status, at, by }) => ({ id, status, at: at.toISOString(), by: toAuthor(by) })),
  version: receipt.version,
});
