import { billStatuses } from '@comanda/contracts/bill-query';
import { billChanges } from '@comanda/contracts/bills';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { actorSchema } from '../orders/order-document.ts';
import type { Bill, BillHistoryEntry, Closing, Discount } from './bill.ts';
import {
  absentOr,
  id,
  minor,
  money,
  optionalId,
  requestFields,
  signedMinor,
  time,
  toRequest,
  toRequestFields,
  type RequestFields,
} from '../document-fields.ts';
import { paymentSchema, toPayment, toPaymentDocument, type PaymentDocument } from './payment-document.ts';

type DiscountDocument = RequestFields & {
  id: number;
  line_id: number | null;
  percent: string | null;
  amount: Decimal | null;
  /** Absent if there is no limit, and in discounts that an earlier release stored. */
  limit?: string;
  label: string | null;
  /** Absent while the discount applies. */
  is_taken_away?: true;
};
/** `by`: the user who closed the bill. */
type ClosingDocument = {
  items_total: Decimal;
  discount_total: Decimal;
  service_charge: Decimal;
  rounding: Decimal;
  total: Decimal;
  closed_at: Date;
  by: { id: number; name: string };
};
/** A stored bill. Its lines are stored elsewhere: they are the items of all orders with the bill's id in `bill_id`. */
export type BillDocument = WithOutbox & {
  _id: number;
  status: Bill['status'];
  version: number;
  number: number | null;
  table: string | null;
  /** Absent until this release moves the bill to another table. */
  moved_at?: Date;
  seating: number | null;
  /** Absent in bills that an earlier release stored. */
  covers?: number | null;
  currency: string;
  service_charge: Bill['serviceCharge'];
  last_discount_id: number;
  discounts: DiscountDocument[];
  payments: PaymentDocument[];
  merged_into: number | null;
  /** True if orders on the bill may be in the archive, so it can't be reopened. Absent otherwise. */
  orders_archived?: boolean;
  created_at: Date;
  closed_at: Date | null;
  updated_at: Date;
  /**
   * The number of the day in which the bill was closed, and its sums then. Absent until this release closes the bill, and null
   * once it is reopened. An earlier release leaves both as they are: they hold only if `closing.closed_at` is `closed_at`.
   */
  day?: number | null;
  closing?: ClosingDocument | null;
  history: BillHistoryEntry[];
};
export type StoredBill = Omit<BillDocument, 'history' | keyof WithOutbox>;

const discountSchema = embeddedSchema<DiscountDocument>({
  id,
  line_id: optionalId,
  percent: { type: String, maxlength: 6 },
  amount: { type: decimal },
  limit: { type: String, maxlength: 6, allowNull: false },
  label: { type: String, maxlength: 60 },
  is_taken_away: absentOr(Boolean),
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
const amount = { type: decimal, required: true };
const closingSchema = embeddedSchema<ClosingDocument>({
  items_total: amount,
  discount_total: amount,
  service_charge: amount,
  rounding: amount,
  total: amount,
  closed_at: time,
  by: {
    type: embeddedSchema<ClosingDocument['by']>({ id, name: { type: String, required: true, maxlength: 255 } }),
    required: true,
  },
});
/** Has all fields that the sales of a day are added up from. Only bills that were closed in a day are in it. */
export const salesIndex = {
  name: 'sales_of_day',
  key: {
    day: 1,
    status: 1,
    closed_at: 1,
    'closing.closed_at': 1,
    'closing.items_total': 1,
    'closing.discount_total': 1,
    'closing.service_charge': 1,
    'closing.rounding': 1,
    'closing.total': 1,
  },
} as const;
export const billSchema = collectionSchema<BillDocument>('bills', {
  _id: id,
  status: { type: String, required: true, enum: billStatuses },
  version: id,
  number: optionalId,
  table: { type: String, maxlength: 16 },
  moved_at: absentOr(Date),
  seating: optionalId,
  covers: optionalId,
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
  day: optionalId,
  closing: { type: closingSchema },
  history: { type: [historySchema], required: true },
  ...outboxFields,
})
  .index({ number: 1 }, { unique: true, partialFilterExpression: { number: { $gt: 0 } } })
  // A unique index, because a seating has at most one open bill.
  .index(
    { seating: 1 },
    { name: 'open_of_seating', unique: true, partialFilterExpression: { status: 'open', seating: { $gt: 0 } } },
  )
  .index({ seating: 1, _id: -1 }, { name: 'page_by_seating', partialFilterExpression: { seating: { $gt: 0 } } })
  .index({ status: 1, _id: -1 }, { name: 'page_by_status' })
  .index({ table: 1, _id: -1 }, { name: 'page_by_table' })
  .index({ created_at: 1, _id: 1 }, { name: 'opened_at' })
  .index({ 'payments.amount': 1, _id: -1 }, { name: 'page_by_amount' })
  .index(
    { 'payments.charged': 1, _id: -1 },
    { name: 'page_by_charged', partialFilterExpression: { 'payments.charged': { $exists: true } } },
  )
  .index({ 'payments.method': 1, _id: -1 }, { name: 'page_by_method' })
  .index({ 'payments.recorded_by.id': 1, _id: -1 }, { name: 'page_by_recorder' })
  .index(
    { 'payments.request_key': 1 },
    { name: 'payment_keys', partialFilterExpression: { 'payments.request_key': { $exists: true } } },
  )
  .index(
    { 'discounts.request_key': 1 },
    { name: 'discount_keys', partialFilterExpression: { 'discounts.request_key': { $exists: true } } },
  )
  .index({ day: 1, _id: -1 }, { name: 'page_by_day', partialFilterExpression: { day: { $gt: 0 } } })
  .index(salesIndex.key, { name: salesIndex.name, partialFilterExpression: { day: { $gt: 0 } } })
  .index(
    { 'payments.refunded_at': 1 },
    { name: 'refunds', partialFilterExpression: { 'payments.refunded_at': { $gt: new Date(0) } } },
  )
  .index({ 'payments.id': 1 }, { name: 'payment_ids', partialFilterExpression: { 'payments.id': { $exists: true } } })
  .index(
    { 'payments.expires_at': 1 },
    { name: 'reservations', partialFilterExpression: { 'payments.expires_at': { $exists: true } } },
  )
  .index(...outboxIndex);

const toDiscountDocument = (discount: Discount): DiscountDocument => ({
  id: discount.id,
  line_id: discount.lineId,
  percent: discount.percent,
  amount: discount.amountMinor === null ? null : money(discount.amountMinor),
  ...(discount.limit !== null && { limit: discount.limit }),
  label: discount.label,
  ...(discount.isTakenAway && { is_taken_away: true }),
  ...toRequestFields(discount.request),
});
const toDiscount = (document: DiscountDocument): Discount => ({
  id: document.id,
  lineId: document.line_id,
  percent: document.percent,
  amountMinor: document.amount === null ? null : minor(document.amount),
  limit: document.limit ?? null,
  label: document.label,
  isTakenAway: document.is_taken_away ?? false,
  request: toRequest(document),
});
export const toClosingFields = ({ closing, closedAt }: Pick<Bill, 'closing' | 'closedAt'>) => ({
  day: closing?.day ?? null,
  closing: closing &&
    closedAt && {
      items_total: money(closing.itemsTotalMinor),
      discount_total: money(closing.discountTotalMinor),
      service_charge: money(closing.serviceChargeMinor),
      rounding: money(closing.roundingMinor),
      total: money(closing.totalMinor),
      closed_at: closedAt,
      by: closing.by,
    },
});
function toClosing({ status, closed_at: closedAt, day, closing }: StoredBill): Closing | null {
  const isClosed = status === 'closed' && closing && closing.closed_at.getTime() === closedAt?.getTime();
  if (!isClosed || day == null) return null;
  return {
    day,
    itemsTotalMinor: minor(closing.items_total),
    discountTotalMinor: minor(closing.discount_total),
    serviceChargeMinor: minor(closing.service_charge),
    roundingMinor: signedMinor(closing.rounding),
    totalMinor: minor(closing.total),
    by: closing.by,
  };
}
/** The fields that a write to an existing bill may change. */
export const toBillFields = (bill: Bill) => ({
  status: bill.status,
  version: bill.version,
  number: bill.number,
  table: bill.table,
  ...(bill.movedAt && { moved_at: bill.movedAt }),
  covers: bill.covers,
  service_charge: bill.serviceCharge,
  last_discount_id: bill.lastDiscountId,
  discounts: bill.discounts.map(toDiscountDocument),
  payments: bill.payments.map(toPaymentDocument),
  merged_into: bill.mergedInto,
  closed_at: bill.closedAt,
  updated_at: bill.updatedAt,
  // A bill without a number was never closed, so it has none of these fields.
  ...(bill.number !== null && toClosingFields(bill)),
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
  movedAt: document.moved_at ?? null,
  seating: document.seating,
  covers: document.covers ?? null,
  currency: document.currency,
  serviceCharge: document.service_charge,
  lastDiscountId: document.last_discount_id,
  discounts: document.discounts.map(toDiscount),
  payments: document.payments.map(toPayment),
  mergedInto: document.merged_into,
  areOrdersArchived: document.orders_archived ?? false,
  closing: toClosing({ _id: billId, ...document }),
  createdAt: document.created_at,
  closedAt: document.closed_at,
  updatedAt: document.updated_at,
});
