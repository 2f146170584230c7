import { hash } from 'node:crypto';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import { fromMinor, type Currency } from '@comanda/contracts/money';
import type { TransferKind } from '@comanda/contracts/accounts';
import type { Transfer as TransferResponse } from '@comanda/contracts/transfers';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Minor } from '../money.ts';

/** A transfer's terms: the amount, the accounts between which it moves, and its purpose. */
export type TransferTerms = {
  kind: TransferKind;
  /** The bill payment that is paid or refunded; null for other transfers. */
  paymentId: number | null;
  fromId: number;
  toId: number;
  amountMinor: Minor;
  currency: Currency;
  description: string | null;
};

/** A transfer that a user has requested and authorized with a step-up token. */
export type ConsentedTransfer = TransferTerms & {
  userId: number;
  /** The facts about the spent step-up token. `jws`: the authorization that auth-stepup signed. */
  consent: { jti: string; pinVersion: number; expiresAtMs: number; jws: string };
  idempotency: IdempotentRequest | null;
  traceparent: string;
  /** Set if the transfer must be rejected because the bill no longer allows it. */
  refusal?: { code: 'payment_not_payable'; paymentStatus: PaymentStatus };
};

/**
 * A transfer for the ledger to decide. Its id stays the same in each attempt, so that an attempt recognizes an earlier attempt's
 * row.
 */
export type TransferCommand = ConsentedTransfer & { transferId: number };

/** One transfer's change to one account. `seq` counts an account's entries from 1; `prev` is the previous entry's hash. */
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
  /** The payer's authorization, signed by auth-stepup; null in rows from before authorizations were stored. */
  consent: string | null;
  idempotency: IdempotentRequest | null;
  createdAt: Date;
  /** Random text. Without it, a party with two consecutive receipts could find the other party's balance by trying values. */
  salt: string;
};
/** A posted transfer. `entries`: the payer's entry, then the payee's. */
export type PostedTransfer = TransferFacts & { status: 'posted'; entries: readonly [Entry, Entry]; receipt: string };
/** A request that was permanently rejected after its token was spent. */
export type RefusedTransfer = {
  status: 'refused';
  id: number;
  code: 'insufficient_funds' | 'payment_not_payable';
  /** Set only if `code` is `payment_not_payable`. */
  paymentStatus?: PaymentStatus;
  userId: number;
  jti: string;
  pinVersion: number;
  idempotency: IdempotentRequest | null;
  createdAt: Date;
  /** The signed statement about the rejection. */
  statement: string;
};

/** Returns the digest of all facts about a transfer. The hashes of both entries are computed from it. */
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

/** Returns an entry's hash. It covers the previous entry's hash, the change to the account, and all facts about the transfer. */
export const entryHash = (entry: Omit<Entry, 'hash'>, digest: string): string =>
  hash(
    'sha256',
    `entry\n${entry.prev}\n${entry.accountId}\n${entry.seq}\n${entry.amountMinor}\n${entry.balanceMinor}\n${digest}`,
    'base64url',
  );

/** Returns the id of one of a transfer's two entries, unique among all entries. */
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
