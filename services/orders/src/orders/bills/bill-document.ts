import type { Coverage } from '@comanda/contracts/bill-amounts';
import { billChanges, billStatuses, paymentMethods, paymentStatuses, type BillPart } from '@comanda/contracts/bills';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, toDecimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { fromMinor, toMinor } from '../../money.ts';
import { actorSchema } from '../order-document.ts';
import type { Actor } from '../order.ts';
import type { Bill, BillHistoryEntry, Discount, Payment } from './bill.ts';

type RequestFields = { request_key?: string; request_fingerprint?: string };
type DiscountDocument = RequestFields & {
  id: number;
  line_id: number | null;
  percent: string | null;
  amount: Decimal | null;
  label: string | null;
  /** Absent if it is given. */
  is_taken_away?: true;
};
type PieceDocument = { line_id: number; kind: 'units' | 'parts'; count: number; of: number };
type CoverageDocument = {
  by: Coverage['by'];
  pieces?: PieceDocument[];
  round?: number;
  count?: number;
  of?: number;
};
type PaymentDocument = RequestFields & {
  id: number;
  method: Payment['method'];
  status: Payment['status'];
  part: BillPart;
  covers: CoverageDocument;
  amount: Decimal;
  tip: Decimal;
  received: Decimal | null;
  reference: string | null;
  recorded_by: Actor;
  created_at: Date;
  settled_at: Date | null;
  refunded_at: Date | null;
};
/** A stored bill. Its lines are not here: they are the items of the orders that have its id. */
export type BillDocument = WithOutbox & {
  _id: number;
  status: Bill['status'];
  version: number;
  number: number | null;
  table: string | null;
  seating: number | null;
  currency: string;
  service_charge: Bill['serviceCharge'];
  last_discount_id: number;
  discounts: DiscountDocument[];
  payments: PaymentDocument[];
  merged_into: number | null;
  /** Orders of the bill may be in the archive. Absent if none is. */
  orders_archived?: boolean;
  created_at: Date;
  closed_at: Date | null;
  updated_at: Date;
  history: BillHistoryEntry[];
};
export type StoredBill = Omit<BillDocument, 'history' | keyof WithOutbox>;

const id = { type: Number, required: true, min: 1 };
const optionalId = { type: Number, min: 1 };
const time = { type: Date, required: true };
const absentOr = <T>(type: T) => ({ type, allowNull: false });
const requestFields = { request_key: absentOr(String), request_fingerprint: absentOr(String) };

const discountSchema = embeddedSchema<DiscountDocument>({
  id,
  line_id: optionalId,
  percent: { type: String, maxlength: 6 },
  amount: { type: decimal },
  label: { type: String, maxlength: 60 },
  is_taken_away: absentOr(Boolean),
  ...requestFields,
});
const pieceSchema = embeddedSchema<PieceDocument>({
  line_id: id,
  kind: { type: String, required: true, enum: ['units', 'parts'] },
  count: id,
  of: id,
});
const coverageSchema = embeddedSchema<CoverageDocument>({
  by: { type: String, required: true, enum: ['lines', 'shares', 'amount'] },
  pieces: absentOr([pieceSchema]),
  round: absentOr(Number),
  count: absentOr(Number),
  of: absentOr(Number),
});
const chosenLineSchema = embeddedSchema<NonNullable<BillPart['lines']>[number]>({
  line_id: id,
  quantity: absentOr(Number),
  parts: absentOr(Number),
  of: absentOr(Number),
});
const partSchema = embeddedSchema<BillPart>({
  rest: absentOr(Boolean),
  shares: absentOr(Number),
  of: absentOr(Number),
  amount: absentOr(String),
  lines: absentOr([chosenLineSchema]),
});
const paymentSchema = embeddedSchema<PaymentDocument>({
  id,
  method: { type: String, required: true, enum: paymentMethods },
  status: { type: String, required: true, enum: paymentStatuses },
  part: { type: partSchema, required: true },
  covers: { type: coverageSchema, required: true },
  amount: { type: decimal, required: true },
  tip: { type: decimal, required: true },
  received: { type: decimal },
  reference: { type: String, maxlength: 64 },
  recorded_by: { type: actorSchema, required: true },
  created_at: time,
  settled_at: { type: Date },
  refunded_at: { type: Date },
  ...requestFields,
});
const historySchema = embeddedSchema<BillHistoryEntry>({
  at: time,
  actor: { type: actorSchema, required: true },
  what: { type: String, required: true, enum: billChanges },
  reason: { type: String, maxlength: 200 },
  amount: { type: String, maxlength: 24 },
  line_id: optionalId,
  payment_id: optionalId,
  version: id,
});
export const billSchema = collectionSchema<BillDocument>('bills', {
  _id: id,
  status: { type: String, required: true, enum: billStatuses },
  version: id,
  number: optionalId,
  table: { type: String, maxlength: 16 },
  seating: optionalId,
  currency: { type: String, required: true, maxlength: 3 },
  service_charge: {
    type: embeddedSchema<Bill['serviceCharge']>({
      rate: { type: String, required: true, maxlength: 6 },
      included: { type: Boolean, required: true },
    }),
    required: true,
  },
  last_discount_id: { type: Number, required: true, min: 0 },
  discounts: { type: [discountSchema], required: true },
  payments: { type: [paymentSchema], required: true },
  merged_into: optionalId,
  orders_archived: absentOr(Boolean),
  created_at: time,
  closed_at: { type: Date },
  updated_at: time,
  history: { type: [historySchema], required: true },
  ...outboxFields,
})
  .index({ number: 1 }, { unique: true, partialFilterExpression: { number: { $gt: 0 } } })
  // A seating has one open bill.
  .index(
    { seating: 1 },
    { name: 'open_of_seating', unique: true, partialFilterExpression: { status: 'open', seating: { $gt: 0 } } },
  )
  .index({ seating: 1, _id: -1 }, { name: 'page_by_seating', partialFilterExpression: { seating: { $gt: 0 } } })
  .index({ status: 1, _id: -1 }, { name: 'page_by_status' })
  .index({ table: 1, _id: -1 }, { name: 'page_by_table' })
  .index(
    { 'payments.request_key': 1 },
    { name: 'payment_keys', partialFilterExpression: { 'payments.request_key': { $exists: true } } },
  )
  .index(
    { 'discounts.request_key': 1 },
    { name: 'discount_keys', partialFilterExpression: { 'discounts.request_key': { $exists: true } } },
  )
  .index(...outboxIndex);

const money = (minor: number): Decimal => toDecimal(fromMinor(minor));
const minor = (amount: Decimal): number => toMinor(amount.toString());
type Request = Discount['request'];
const toRequestFields = (request: Request): RequestFields =>
  request ? { request_key: request.key, request_fingerprint: request.fingerprint } : {};
const toRequest = ({ request_key: key, request_fingerprint: fingerprint }: RequestFields): Request =>
  key === undefined || fingerprint === undefined ? null : { key, fingerprint };

function toCoverageDocument(covers: Coverage): CoverageDocument {
  if (covers.by !== 'lines') return { ...covers };
  return {
    by: 'lines',
    pieces: covers.pieces.map(({ lineId, kind, count, of }) => ({ line_id: lineId, kind, count, of })),
  };
}

function toCoverage({ by, pieces = [], round = 1, count = 1, of = 1 }: CoverageDocument): Coverage {
  if (by === 'amount') return { by };
  if (by === 'shares') return { by, round, count, of };
  return {
    by,
    pieces: pieces.map((piece) => ({ lineId: piece.line_id, kind: piece.kind, count: piece.count, of: piece.of })),
  };
}

const toDiscountDocument = (discount: Discount): DiscountDocument => ({
  id: discount.id,
  line_id: discount.lineId,
  percent: discount.percent,
  amount: discount.amountMinor === null ? null : money(discount.amountMinor),
  label: discount.label,
  ...(discount.isTakenAway && { is_taken_away: true }),
  ...toRequestFields(discount.request),
});
const toDiscount = (document: DiscountDocument): Discount => ({
  id: document.id,
  lineId: document.line_id,
  percent: document.percent,
  amountMinor: document.amount === null ? null : minor(document.amount),
  label: document.label,
  isTakenAway: document.is_taken_away ?? false,
  request: toRequest(document),
});
const toPaymentDocument = (payment: Payment): PaymentDocument => ({
  id: payment.id,
  method: payment.method,
  status: payment.status,
  part: payment.part,
  covers: toCoverageDocument(payment.covers),
  amount: money(payment.amountMinor),
  tip: money(payment.tipMinor),
  received: payment.receivedMinor === null ? null : money(payment.receivedMinor),
  reference: payment.reference,
  recorded_by: payment.recordedBy,
  created_at: payment.createdAt,
  settled_at: payment.settledAt,
  refunded_at: payment.refundedAt,
  ...toRequestFields(payment.request),
});
const toPayment = (document: PaymentDocument): Payment => ({
  id: document.id,
  method: document.method,
  status: document.status,
  part: document.part,
  covers: toCoverage(document.covers),
  amountMinor: minor(document.amount),
  tipMinor: minor(document.tip),
  receivedMinor: document.received === null ? null : minor(document.received),
  reference: document.reference,
  recordedBy: document.recorded_by,
  createdAt: document.created_at,
  settledAt: document.settled_at,
  refundedAt: document.refunded_at,
  request: toRequest(document),
});

/** The fields that any write may change. */
export const toBillFields = (bill: Bill) => ({
  status: bill.status,
  version: bill.version,
  number: bill.number,
  table: bill.table,
  service_charge: bill.serviceCharge,
  last_discount_id: bill.lastDiscountId,
  discounts: bill.discounts.map(toDiscountDocument),
  payments: bill.payments.map(toPaymentDocument),
  merged_into: bill.mergedInto,
  closed_at: bill.closedAt,
  updated_at: bill.updatedAt,
});
export const toBillDocument = (bill: Bill): StoredBill => ({
  _id: bill.id,
  ...toBillFields(bill),
  seating: bill.seating,
  currency: bill.currency,
  created_at: bill.createdAt,
});
export const toBill = ({ _id: billId, ...document }: StoredBill): Bill => ({
  id: billId,
  status: document.status,
  version: document.version,
  number: document.number,
  table: document.table,
  seating: document.seating,
  currency: document.currency,
  serviceCharge: document.service_charge,
  lastDiscountId: document.last_discount_id,
  discounts: document.discounts.map(toDiscount),
  payments: document.payments.map(toPayment),
  mergedInto: document.merged_into,
  createdAt: document.created_at,
  closedAt: document.closed_at,
  updatedAt: document.updated_at,
});
