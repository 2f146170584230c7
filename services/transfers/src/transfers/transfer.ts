import { hash } from 'node:crypto';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import { fromMinor, type Currency } from '@comanda/contracts/money';
import type { TransferKind } from '@comanda/contracts/accounts';
import type { Transfer as TransferResponse } from '@comanda/contracts/transfers';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Minor } from '../money.ts';

/** The amount, and the accounts between which it moves. */
export type TransferTerms = {
  kind: TransferKind;
  /** The bill payment that is paid or refunded; null for other kinds. */
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
  /** The payer's consent, signed by auth-stepup; null in rows from before consents were signed. */
  consent: string | null;
  idempotency: IdempotentRequest | null;
  createdAt: Date;
  /** Random. Without it, a party with two consecutive receipts could guess balances until the hashes match. */
  salt: string;
};
/** A posted transfer. The payer's entry is the first one. */
export type PostedTransfer = TransferFacts & { status: 'posted'; entries: readonly [Entry, Entry]; receipt: string };
/** A request that was permanently rejected after its token was spent. */
export type RefusedTransfer = {
  status: 'refused';
  id: number;
  code: 'insufficient_funds' | 'payment_not_payable';
  /** Present only for `payment_not_payable`. */
  paymentStatus?: PaymentStatus;
  userId: number;
  jti: string;
  pinVersion: number;
  idempotency: IdempotentRequest | null;
  createdAt: Date;
  /** The rejection, signed. */
  statement: string;
};

/** Returns the digest of all facts of a transfer. The hashes of both entries cover it. */
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

/** Returns an entry's hash, which covers the previous entry's hash, the change to the account, and the whole transfer. */
export const entryHash = (entry: Omit<Entry, 'hash'>, digest: string): string =>
  hash(
    'sha256',
    `entry\n${entry.prev}\n${entry.accountId}\n${entry.seq}\n${entry.amountMinor}\n${entry.balanceMinor}\n${digest}`,
    'base64url',
  );

/** Returns the id of one of a transfer's two entries. It is unique among all entries. */
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
