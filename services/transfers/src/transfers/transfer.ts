import { hash } from 'node:crypto';
import type { Currency, Transfer as TransferAnswer } from '@comanda/contracts/transfers';
import { fromMinor } from '../money.ts';
import type { Minor } from '../money.ts';

/** What a consumed step-up token says. */
type Consent = { jti: string; pinVersion: number; expiresAtMs: number };
/** What makes a call with an idempotency key that very call. */
export type IdempotentRequest = { key: string; hash: string };

/** Money that somebody wants to move, with the consent to it. */
export type Wish = {
  kind: 'internal_transfer' | 'account_deposit';
  userId: number;
  consent: Consent;
  call: IdempotentRequest | null;
  fromId: number;
  toId: number;
  amountMinor: Minor;
  currency: Currency;
  description: string | null;
  traceparent: string;
};

/** One of the two entries of a transfer: `seq` counts an account's entries from 1, `prev` is the hash of the one before. */
export type Leg = {
  accountId: number;
  seq: number;
  amountMinor: Minor;
  balanceMinor: Minor;
  prev: string;
  hash: string;
};
export type TransferFacts = Omit<Wish, 'consent' | 'traceparent'> & {
  id: number;
  jti: string;
  pinVersion: number;
  createdAt: Date;
  /** Random: without it, who has two receipts in a row could try all balances until the hashes fit. */
  salt: string;
};
/** A transfer in the journal, its entries inside: first the one that pays. */
export type PostedTransfer = TransferFacts & { legs: readonly [Leg, Leg]; receipt: string };
/** A call that was refused for good after its token was spent. */
export type RefusedTransfer = {
  id: number;
  code: 'insufficient_funds';
  userId: number;
  jti: string;
  pinVersion: number;
  call: IdempotentRequest | null;
  createdAt: Date;
};

/** The digest of all that a transfer says, which both of its entries have in their hash. */
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
      transfer.call?.key ?? null,
      transfer.call?.hash ?? null,
      transfer.createdAt.toISOString(),
      transfer.salt,
    ]),
    'base64url',
  );

/** The hash of an entry: over the one before, what it did to the account, and its whole transfer. */
export const entryHash = (leg: Omit<Leg, 'hash'>, digest: string): string =>
  hash(
    'sha256',
    `entry\n${leg.prev}\n${leg.accountId}\n${leg.seq}\n${leg.amountMinor}\n${leg.balanceMinor}\n${digest}`,
    'base64url',
  );

/** Ids of a transfer's two entries: no two entries share one. */
export const entryId = (transferId: number, side: 'pays' | 'receives'): number =>
  side === 'pays' ? transferId * 2 - 1 : transferId * 2;

export const toTransferAnswer = (transfer: PostedTransfer): TransferAnswer => ({
  id: transfer.id,
  from_account_id: transfer.fromId,
  to_account_id: transfer.toId,
  amount: fromMinor(transfer.amountMinor),
  currency: transfer.currency,
  description: transfer.description,
  status: 'posted',
  receipt: transfer.receipt,
  created_at: transfer.createdAt.toISOString(),
});
