import { hash } from 'node:crypto';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import { fromMinor, type Currency } from '@comanda/contracts/money';
import type { TransferKind } from '@comanda/contracts/accounts';
import type { Transfer as TransferResponse } from '@comanda/contracts/transfers';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Minor } from '../money.ts';

/** What moves from which account to which. */
export type TransferTerms = {
  kind: TransferKind;
  /** The payment of a bill that is paid or given back; null for other kinds. */
  paymentId: number | null;
  fromId: number;
  toId: number;
  amountMinor: Minor;
  currency: Currency;
  description: string | null;
};

/** A transfer that a user asked for and authorized with a step-up token. */
export type ConsentedTransfer = TransferTerms & {
  userId: number;
  /** The consent in the spent step-up token. auth-stepup signed `jws`. */
  consent: { jti: string; pinVersion: number; expiresAtMs: number; jws: string };
  idempotency: IdempotentRequest | null;
  traceparent: string;
  /** The reason to reject it: the bill no longer allows it. */
  refusal?: { code: 'payment_not_payable'; paymentStatus: PaymentStatus };
};

/** A transfer that the ledger has to decide. It keeps its id when it is posted again, so its own row is recognized by the id. */
export type TransferCommand = ConsentedTransfer & { transferId: number };

/** What one transfer did to one account. `seq` counts an account's entries from 1; `prev` is the previous entry's hash. */
export type Entry = {
  accountId: number;
  seq: number;
  amountMinor: Minor;
  balanceMinor: Minor;
  prev: string;
  hash: string;
};
export type TransferFacts = TransferTerms & {
  id: number;
  userId: number;
  jti: string;
  pinVersion: number;
  /** The payer's consent as auth-stepup has signed it; null in rows of before consents were signed. */
  consent: string | null;
  idempotency: IdempotentRequest | null;
  createdAt: Date;
  /** Random. Without it, a party that has two receipts in a row could guess balances until the hashes match. */
  salt: string;
};
/** A posted transfer. The payer's entry is the first one. */
export type PostedTransfer = TransferFacts & { status: 'posted'; entries: readonly [Entry, Entry]; receipt: string };
/** A request that was refused for good after its token was spent. */
export type RefusedTransfer = {
  status: 'refused';
  id: number;
  code: 'insufficient_funds' | 'payment_not_payable';
  /** Of `payment_not_payable` only. */
  paymentStatus?: PaymentStatus;
  userId: number;
  jti: string;
  pinVersion: number;
  idempotency: IdempotentRequest | null;
  createdAt: Date;
  /** The refusal, signed. */
  statement: string;
};

/** The digest of all facts of a transfer. The hashes of both entries cover it. */
export const transferDigest = (transfer: TransferFacts): string =>
  hash(
    'sha256',
    JSON.stringify([
      'transfer',
      transfer.id,
      transfer.kind,
      transfer.fromId,
      transfer.toId,
      String(transfer.amountMinor),
      transfer.currency,
      transfer.description,
      transfer.userId,
      transfer.jti,
      transfer.pinVersion,
      transfer.idempotency?.key ?? null,
      transfer.idempotency?.fingerprint ?? null,
      transfer.createdAt.toISOString(),
      transfer.salt,
      ...(transfer.consent === null ? [] : [transfer.consent]),
      ...(transfer.paymentId === null ? [] : [transfer.paymentId]),
    ]),
    'base64url',
  );

/** The hash of an entry: over the previous entry's hash, the change of the account, and the whole transfer. */
export const entryHash = (entry: Omit<Entry, 'hash'>, digest: string): string =>
  hash(
    'sha256',
    `entry\n${entry.prev}\n${entry.accountId}\n${entry.seq}\n${entry.amountMinor}\n${entry.balanceMinor}\n${digest}`,
    'base64url',
  );

/** The id of one of a transfer's two entries, unique over all entries. */
export const entryId = (transferId: number, side: 'payer' | 'payee'): number =>
  side === 'payer' ? transferId * 2 - 1 : transferId * 2;

export const toTransferResponse = (transfer: PostedTransfer): TransferResponse => ({
  id: transfer.id,
  from_account_id: transfer.fromId,
  to_account_id: transfer.toId,
  amount: fromMinor(transfer.amountMinor),
  currency: transfer.currency,
  description: transfer.description,
  kind: transfer.kind,
  payment_id: transfer.paymentId,
  status: 'posted',
  receipt: transfer.receipt,
  created_at: transfer.createdAt.toISOString(),
});
