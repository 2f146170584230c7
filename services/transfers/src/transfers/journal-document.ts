import { paymentStatuses, type PaymentStatus } from '@comanda/contracts/bill-payments';
import { currencies, type Currency } from '@comanda/contracts/money';
import { transferKinds } from '@comanda/contracts/accounts';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { setByServer, type Timestamp } from '@comanda/shared/mongo/cluster-time';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { DecidedRow, Row } from './journal-row.ts';
import type { Entry, PostedTransfer, RefusedTransfer } from './transfer.ts';

export type EntryDocument = {
  account: number;
  seq: number;
  amount: bigint;
  balance: bigint;
  prev: string;
  hash: string;
};
/** The facts about a request. `idempotency_key` and `request_fingerprint` are absent if the request had no idempotency key. */
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
  /** The bill payment that is paid or refunded; absent for other transfers. */
  payment_id?: number;
  from_account: number;
  to_account: number;
  amount: bigint;
  currency: Currency;
  description: string | null;
  salt: string;
  /** Absent in rows from before authorizations were stored. */
  consent?: string;
  entries: [EntryDocument, EntryDocument];
  receipt: string;
  outbox: Message[];
};
/** The fields of a row without entries. `statement` is signed. `written` is set by MongoDB, so that checkpoints find new rows. */
type WithoutEntries = { statement: string; written: Timestamp };
export type RefusedDocument = RequestFields &
  WithoutEntries & {
    status: 'refused';
    code: RefusedTransfer['code'];
    payment_status?: PaymentStatus;
  };
export type ExpiredDocument = WithoutEntries & { _id: string; status: 'expired'; jti: string; created_at: Date };
/** A row of the journal. Rows are only added: nothing changes later except a posted row's outbox. */
export type JournalDocument = PostedDocument | RefusedDocument | ExpiredDocument;

const entrySchema = embeddedSchema<EntryDocument>({
  account: { type: Number, required: true },
  seq: { type: Number, required: true, min: 1 },
  amount: { type: BigInt, required: true },
  balance: { type: BigInt, required: true },
  prev: { type: String, required: true },
  hash: { type: String, required: true },
});
type MemberOf<D> = D extends unknown ? keyof D : never;
/** A row with any status. A field that only some statuses have is never null, but may be absent. */
type AnyRow = Partial<Record<MemberOf<JournalDocument>, unknown>> & Partial<WithOutbox>;
const absentOr = (type: unknown) => ({ type, allowNull: false });

export const journalSchema = collectionSchema<AnyRow>('transfers', {
  _id: { type: Object },
  status: { type: String, required: true, enum: ['posted', 'refused', 'expired'] },
  jti: { type: String, required: true },
  created_at: { type: Date, required: true },
  user_id: absentOr(Number),
  pin_version: absentOr(Number),
  idempotency_key: absentOr(String),
  request_fingerprint: absentOr(String),
  kind: { type: String, enum: transferKinds, allowNull: false },
  payment_id: absentOr(Number),
  from_account: absentOr(Number),
  to_account: absentOr(Number),
  amount: absentOr(BigInt),
  currency: { type: String, enum: currencies, allowNull: false },
  description: { type: String, maxlength: 140 },
  salt: absentOr(String),
  consent: absentOr(String),
  entries: { type: [entrySchema], allowNull: false },
  receipt: absentOr(String),
  code: absentOr(String),
  payment_status: { type: String, enum: paymentStatuses, allowNull: false },
  statement: absentOr(String),
  written: { type: Object, allowNull: false },
  ...outboxFields,
})
  .index({ jti: 1 }, { unique: true })
  .index(
    { idempotency_key: 1, user_id: 1 },
    { unique: true, partialFilterExpression: { idempotency_key: { $exists: true } } },
  )
  // Only posted rows have entries. Without this filter, two rows without entries would be duplicates.
  .index({ 'entries.account': 1, 'entries.seq': 1 }, { unique: true, partialFilterExpression: { status: 'posted' } })
  // A bill's payment can be paid only once, and refunded only once.
  .index({ kind: 1, payment_id: 1 }, { unique: true, partialFilterExpression: { payment_id: { $exists: true } } })
  // Only rows without entries have `written`. Checkpoints find posted rows through their accounts.
  .index({ written: 1 }, { partialFilterExpression: { written: { $exists: true } } })
  .index(...outboxIndex);

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

const requestFields = (row: DecidedRow): RequestFields => ({
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

export function toJournalDocument(row: DecidedRow, outbox: Message[]): JournalDocument {
  if (row.status === 'refused') {
    const { status, code, paymentStatus, statement } = row;
    const because = paymentStatus !== undefined && { payment_status: paymentStatus };
    return { ...requestFields(row), status, code, ...because, statement, written: setByServer() };
  }
  const [payer, payee] = row.entries;
  return {
    ...requestFields(row),
    status: row.status,
    kind: row.kind,
    ...(row.paymentId !== null && { payment_id: row.paymentId }),
    from_account: row.fromId,
    to_account: row.toId,
    amount: row.amountMinor,
    currency: row.currency,
    description: row.description,
    salt: row.salt,
    ...(row.consent !== null && { consent: row.consent }),
    entries: [toEntryDocument(payer), toEntryDocument(payee)],
    receipt: row.receipt,
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

/** Returns the facts about a request from its row. */
const toRequestFacts = ({ _id: id, ...document }: RequestFields) => ({
  id,
  userId: document.user_id,
  jti: document.jti,
  pinVersion: document.pin_version,
  idempotency: idempotencyOf(document),
  createdAt: document.created_at,
});

export const toTransfer = (document: PostedDocument): PostedTransfer => ({
  ...toRequestFacts(document),
  status: 'posted',
  kind: document.kind,
  paymentId: document.payment_id ?? null,
  fromId: document.from_account,
  toId: document.to_account,
  amountMinor: document.amount,
  currency: document.currency,
  description: document.description,
  salt: document.salt,
  consent: document.consent ?? null,
  entries: [toEntry(document.entries[0]), toEntry(document.entries[1])],
  receipt: document.receipt,
});

export function toRow(document: JournalDocument): Row {
  if (document.status === 'posted') return toTransfer(document);
  if (document.status === 'expired') return { status: 'expired', jti: document.jti, statement: document.statement };
  const { status, code, payment_status: paymentStatus, statement } = document;
  const because = paymentStatus !== undefined && { paymentStatus };
  return { ...toRequestFacts(document), status, code, ...because, statement };
}
