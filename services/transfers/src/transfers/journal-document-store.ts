import type { Currency } from '@comanda/contracts/transfers';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { FinalRow, JournalRow } from './journal-row.ts';
import type { Leg, PostedTransfer, RefusedTransfer } from './transfer.ts';

type LegDocument = { account: number; seq: number; amount: bigint; balance: bigint; prev: string; hash: string };
/** What a decision came from; `key` and `call_hash` where the call had an idempotency key. */
type CallFields = {
  _id: number;
  user_id: number;
  jti: string;
  pin_version: number;
  key?: string;
  call_hash?: string;
  created_at: Date;
};
export type PostedDocument = CallFields & {
  status: 'posted';
  kind: PostedTransfer['kind'];
  from_account: number;
  to_account: number;
  amount: bigint;
  currency: Currency;
  description: string | null;
  salt: string;
  legs: [LegDocument, LegDocument];
  receipt: string;
  outbox: Message[];
};
export type RefusedDocument = CallFields & { status: 'refused'; code: RefusedTransfer['code'] };
export type ExpiredDocument = { _id: string; status: 'expired'; jti: string; created_at: Date };
/** Append-only: nothing but a posted row's outbox is ever changed. */
export type JournalDocument = PostedDocument | RefusedDocument | ExpiredDocument;

const toLegDocument = ({ accountId, seq, amountMinor, balanceMinor, prev, hash }: Leg): LegDocument => ({
  account: accountId,
  seq,
  amount: amountMinor,
  balance: balanceMinor,
  prev,
  hash,
});
const toLeg = ({ account, seq, amount, balance, prev, hash }: LegDocument): Leg => ({
  accountId: account,
  seq,
  amountMinor: amount,
  balanceMinor: balance,
  prev,
  hash,
});

const callFields = (row: PostedTransfer | RefusedTransfer): CallFields => ({
  _id: row.id,
  user_id: row.userId,
  jti: row.jti,
  pin_version: row.pinVersion,
  ...(row.call && { key: row.call.key, call_hash: row.call.hash }),
  created_at: row.createdAt,
});
const callOf = ({ key, call_hash: hash }: Pick<CallFields, 'key' | 'call_hash'>): PostedTransfer['call'] =>
  key === undefined || hash === undefined ? null : { key, hash };

export function toDocument(row: FinalRow, outbox: Message[]): JournalDocument {
  if (row.status === 'refused') {
    return { ...callFields(row.refusal), status: 'refused', code: row.refusal.code };
  }
  const { transfer } = row;
  const [pays, receives] = transfer.legs;
  return {
    ...callFields(transfer),
    status: 'posted',
    kind: transfer.kind,
    from_account: transfer.fromId,
    to_account: transfer.toId,
    amount: transfer.amountMinor,
    currency: transfer.currency,
    description: transfer.description,
    salt: transfer.salt,
    legs: [toLegDocument(pays), toLegDocument(receives)],
    receipt: transfer.receipt,
    outbox,
  };
}

export const toTransfer = ({ _id: id, ...document }: PostedDocument): PostedTransfer => ({
  id,
  kind: document.kind,
  userId: document.user_id,
  jti: document.jti,
  pinVersion: document.pin_version,
  call: callOf(document),
  fromId: document.from_account,
  toId: document.to_account,
  amountMinor: document.amount,
  currency: document.currency,
  description: document.description,
  createdAt: document.created_at,
  salt: document.salt,
  legs: [toLeg(document.legs[0]), toLeg(document.legs[1])],
  receipt: document.receipt,
});

export function toRow(document: JournalDocument): JournalRow {
  if (document.status === 'posted') return { status: 'posted', transfer: toTransfer(document) };
  if (document.status === 'expired') return { status: 'expired', jti: document.jti };
  const { _id: id, code, user_id: userId, jti, pin_version: pinVersion, created_at: createdAt } = document;
  return { status: 'refused', refusal: { id, code, userId, jti, pinVersion, call: callOf(document), createdAt } };
}
