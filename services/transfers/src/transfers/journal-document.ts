import type { Currency } from '@comanda/contracts/transfers';
import { setByServer } from '@comanda/shared/mongo/cluster-time';
import type { Timestamp } from '@comanda/shared/mongo/cluster-time';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { FinalRow, JournalRow } from './journal-row.ts';
import type { Entry, PostedTransfer, RefusedTransfer } from './transfer.ts';

export type EntryDocument = {
  account: number;
  seq: number;
  amount: bigint;
  balance: bigint;
  prev: string;
  hash: string;
};
/** Facts of the request. The key and the fingerprint are absent if it had no idempotency key. */
type RequestFields = {
  _id: number;
  user_id: number;
  jti: string;
  pin_version: number;
  idempotency_key?: string;
  request_fingerprint?: string;
  created_at: Date;
};
export type PostedDocument = RequestFields & {
  status: 'posted';
  kind: PostedTransfer['kind'];
  from_account: number;
  to_account: number;
  amount: bigint;
  currency: Currency;
  description: string | null;
  salt: string;
  entries: [EntryDocument, EntryDocument];
  receipt: string;
  outbox: Message[];
};
/** `statement` is signed. `written` is set by the server, so that a checkpoint finds what is new. */
type WithoutEntries = { statement: string; written: Timestamp };
export type RefusedDocument = RequestFields & WithoutEntries & { status: 'refused'; code: RefusedTransfer['code'] };
export type ExpiredDocument = WithoutEntries & { _id: string; status: 'expired'; jti: string; created_at: Date };
/** Append-only: nothing but the outbox of a posted row ever changes. */
export type JournalDocument = PostedDocument | RefusedDocument | ExpiredDocument;

export const toEntry = ({ account, seq, amount, balance, prev, hash }: EntryDocument): Entry => ({
  accountId: account,
  seq,
  amountMinor: amount,
  balanceMinor: balance,
  prev,
  hash,
});
const toEntryDocument = ({ accountId, seq, amountMinor, balanceMinor, prev, hash }: Entry): EntryDocument => ({
  account: accountId,
  seq,
  amount: amountMinor,
  balance: balanceMinor,
  prev,
  hash,
});

const requestFields = (row: PostedTransfer | RefusedTransfer): RequestFields => ({
  _id: row.id,
  user_id: row.userId,
  jti: row.jti,
  pin_version: row.pinVersion,
  ...(row.idempotency && {
    idempotency_key: row.idempotency.key,
    request_fingerprint: row.idempotency.fingerprint,
  }),
  created_at: row.createdAt,
});
const idempotencyOf = ({
  idempotency_key: key,
  request_fingerprint: fingerprint,
}: Pick<RequestFields, 'idempotency_key' | 'request_fingerprint'>): PostedTransfer['idempotency'] =>
  key === undefined || fingerprint === undefined ? null : { key, fingerprint };

export function toJournalDocument(row: FinalRow, outbox: Message[]): JournalDocument {
  if (row.status === 'refused') {
    const { code, statement } = row.refusal;
    return { ...requestFields(row.refusal), status: 'refused', code, statement, written: setByServer() };
  }
  const { transfer } = row;
  const [payer, payee] = transfer.entries;
  return {
    ...requestFields(transfer),
    status: 'posted',
    kind: transfer.kind,
    from_account: transfer.fromId,
    to_account: transfer.toId,
    amount: transfer.amountMinor,
    currency: transfer.currency,
    description: transfer.description,
    salt: transfer.salt,
    entries: [toEntryDocument(payer), toEntryDocument(payee)],
    receipt: transfer.receipt,
    outbox,
  };
}

export const toExpiredDocument = (jti: string, now: Date, statement: string): ExpiredDocument => ({
  _id: `expired ${jti}`,
  status: 'expired',
  jti,
  created_at: now,
  statement,
  written: setByServer(),
});

export const toTransfer = ({ _id: id, ...document }: PostedDocument): PostedTransfer => ({
  id,
  kind: document.kind,
  userId: document.user_id,
  jti: document.jti,
  pinVersion: document.pin_version,
  idempotency: idempotencyOf(document),
  fromId: document.from_account,
  toId: document.to_account,
  amountMinor: document.amount,
  currency: document.currency,
  description: document.description,
  createdAt: document.created_at,
  salt: document.salt,
  entries: [toEntry(document.entries[0]), toEntry(document.entries[1])],
  receipt: document.receipt,
});

export function toRow(document: JournalDocument): JournalRow {
  if (document.status === 'posted') return { status: 'posted', transfer: toTransfer(document) };
  if (document.status === 'expired') return { status: 'expired', jti: document.jti };
  const { _id: id, code, jti, ...rest } = document;
  return {
    status: 'refused',
    refusal: {
      id,
      code,
      userId: rest.user_id,
      jti,
      pinVersion: rest.pin_version,
      idempotency: idempotencyOf(rest),
      createdAt: rest.created_at,
      statement: rest.statement,
    },
  };
}
