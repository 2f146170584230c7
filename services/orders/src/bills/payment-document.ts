import type { Coverage } from '@comanda/contracts/bill-amounts';
import { mainCashDrawer } from '@comanda/contracts/cash-drawers';
import { claimPurposes } from '@comanda/contracts/internal';
import { paymentMethods, paymentStatuses, type BillPart } from '@comanda/contracts/bill-payments';
import { embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { actorSchema } from '../orders/order-document.ts';
import type { Actor } from '../actor.ts';
import type { Claim, Payment, PixOfPayment, Refund } from './bill.ts';
import {
  absentOr,
  id,
  minor,
  money,
  requestFields,
  time,
  toRequest,
  toRequestFields,
  type RequestFields,
} from '../document-fields.ts';

type PieceDocument = { line_id: number; kind: 'units' | 'parts'; count: number; of: number };
type CoverageDocument = {
  by: Coverage['by'];
  pieces?: PieceDocument[];
  round?: number;
  count?: number;
  of?: number;
};
type PixDocument = { confirmed_by?: 'bank' | 'staff'; end_to_end_id?: string; refund_id?: string };
export type PaymentDocument = RequestFields & {
  id: number;
  method: Payment['method'];
  status: Payment['status'];
  part: BillPart;
  covers: CoverageDocument;
  amount: Decimal;
  tip: Decimal;
  /** The amount with the tip, by which bills are found. Absent without a tip, and in payments from earlier releases. */
  charged?: Decimal;
  received: Decimal | null;
  reference: string | null;
  /** Absent if it was not paid in cash, and in payments from earlier releases, whose cash is in `main`. */
  cash_drawer?: string;
  payer?: { id: number; name: string };
  expires_at?: Date;
  claim?: Claim;
  barred_jtis?: string[];
  transfer_id?: number;
  refund_transfer_id?: number;
  /** Absent while nothing is known, and if an earlier release has written the bill since. */
  pix?: PixDocument;
  recorded_by: Actor;
  created_at: Date;
  settled_at: Date | null;
  refunded_at: Date | null;
  /** Absent if the payment was not refunded, or an earlier release has written the bill since. */
  refund?: { method: Refund['method']; cash_drawer?: string; reason?: string; by: Actor };
};

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
export const paymentSchema = embeddedSchema<PaymentDocument>({
  id,
  method: { type: String, required: true, enum: paymentMethods },
  status: { type: String, required: true, enum: paymentStatuses },
  part: { type: partSchema, required: true },
  covers: { type: coverageSchema, required: true },
  amount: { type: decimal, required: true },
  tip: { type: decimal, required: true },
  charged: absentOr(decimal),
  received: { type: decimal },
  reference: { type: String, maxlength: 64 },
  cash_drawer: { type: String, maxlength: 32, allowNull: false },
  payer: absentOr(embeddedSchema<NonNullable<Payment['payer']>>({ id, name: { type: String, required: true } })),
  expires_at: absentOr(Date),
  claim: absentOr(
    embeddedSchema<Claim>({
      purpose: { type: String, required: true, enum: claimPurposes },
      jti: { type: String, required: true, maxlength: 64 },
      by: { type: actorSchema, required: true },
    }),
  ),
  barred_jtis: absentOr([String]),
  transfer_id: absentOr(Number),
  refund_transfer_id: absentOr(Number),
  pix: absentOr(
    embeddedSchema<PixDocument>({
      confirmed_by: { type: String, enum: ['bank', 'staff'], allowNull: false },
      end_to_end_id: { type: String, maxlength: 64, allowNull: false },
      refund_id: { type: String, maxlength: 64, allowNull: false },
    }),
  ),
  recorded_by: { type: actorSchema, required: true },
  created_at: time,
  settled_at: { type: Date },
  refunded_at: { type: Date },
  refund: absentOr(
    embeddedSchema<NonNullable<PaymentDocument['refund']>>({
      method: { type: String, required: true, enum: paymentMethods },
      cash_drawer: { type: String, maxlength: 32, allowNull: false },
      reason: { type: String, maxlength: 200, allowNull: false },
      by: { type: actorSchema, required: true },
    }),
  ),
  ...requestFields,
});

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

const toRefundDocument = ({ method, cashDrawer, reason, by }: Refund): NonNullable<PaymentDocument['refund']> => ({
  method,
  ...(cashDrawer !== null && { cash_drawer: cashDrawer }),
  ...(reason !== null && { reason }),
  by,
});
function toPixDocument({ confirmedBy, endToEndId, refundId }: PixOfPayment): { pix?: PixDocument } {
  const pix = {
    ...(confirmedBy && { confirmed_by: confirmedBy }),
    ...(endToEndId !== null && { end_to_end_id: endToEndId }),
    ...(refundId !== null && { refund_id: refundId }),
  };
  return Object.keys(pix).length === 0 ? {} : { pix };
}
const toPix = ({ confirmed_by, end_to_end_id, refund_id }: PixDocument = {}): PixOfPayment => ({
  confirmedBy: confirmed_by ?? null,
  endToEndId: end_to_end_id ?? null,
  refundId: refund_id ?? null,
});
export const toPaymentDocument = (payment: Payment): PaymentDocument => ({
  id: payment.id,
  method: payment.method,
  status: payment.status,
  part: payment.part,
  covers: toCoverageDocument(payment.covers),
  amount: money(payment.amountMinor),
  tip: money(payment.tipMinor),
  ...(payment.tipMinor > 0 && { charged: money(payment.amountMinor + payment.tipMinor) }),
  received: payment.receivedMinor === null ? null : money(payment.receivedMinor),
  reference: payment.reference,
  ...(payment.cashDrawer !== null && { cash_drawer: payment.cashDrawer }),
  ...(payment.payer && { payer: payment.payer }),
  ...(payment.expiresAt && { expires_at: payment.expiresAt }),
  ...(payment.claim && { claim: payment.claim }),
  ...(payment.barredJtis.length > 0 && { barred_jtis: [...payment.barredJtis] }),
  ...(payment.transferId !== null && { transfer_id: payment.transferId }),
  ...(payment.refundTransferId !== null && { refund_transfer_id: payment.refundTransferId }),
  ...(payment.pix && toPixDocument(payment.pix)),
  recorded_by: payment.recordedBy,
  created_at: payment.createdAt,
  settled_at: payment.settledAt,
  refunded_at: payment.refundedAt,
  ...(payment.refund && { refund: toRefundDocument(payment.refund) }),
  ...toRequestFields(payment.request),
});
/** Earlier releases stored no cash drawer: their cash is in `main`. */
const drawerOf = (stored: { method: Payment['method']; cash_drawer?: string }): string | null =>
  stored.method === 'cash' ? (stored.cash_drawer ?? mainCashDrawer) : null;
const toRefund = (stored: NonNullable<PaymentDocument['refund']>): Refund => ({
  method: stored.method,
  cashDrawer: drawerOf(stored),
  reason: stored.reason ?? null,
  by: stored.by,
});
export const toPayment = (document: PaymentDocument): Payment => ({
  id: document.id,
  method: document.method,
  status: document.status,
  part: document.part,
  covers: toCoverage(document.covers),
  amountMinor: minor(document.amount),
  tipMinor: minor(document.tip),
  receivedMinor: document.received === null ? null : minor(document.received),
  reference: document.reference,
  cashDrawer: drawerOf(document),
  payer: document.payer ?? null,
  expiresAt: document.expires_at ?? null,
  claim: document.claim ?? null,
  barredJtis: document.barred_jtis ?? [],
  transferId: document.transfer_id ?? null,
  refundTransferId: document.refund_transfer_id ?? null,
  pix: document.method === 'pix' ? toPix(document.pix) : null,
  recordedBy: document.recorded_by,
  createdAt: document.created_at,
  settledAt: document.settled_at,
  refundedAt: document.refunded_at,
  refund: document.refund ? toRefund(document.refund) : null,
  request: toRequest(document),
});
