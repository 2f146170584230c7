import { pixReceiptStates, pixRefundStatuses, type PixReceiptState } from '@comanda/contracts/pix';
import { roles } from '@comanda/contracts/endpoint';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Author, PixReceipt, Refund } from './pix-receipt.ts';

type RefundDocument = Omit<Refund, 'request' | 'deniedAt'> & {
  request_key?: string;
  request_fingerprint?: string;
  denied_at?: Date;
};
type NamedDocument = { id: number; created_at: Date };
/** `_id`: the end-to-end id. Fields that are null in a receipt are absent. */
export type ReceiptDocument = WithOutbox & {
  _id: string;
  amount: string;
  received_at: Date;
  txid?: string;
  note?: string;
  payment_id?: number;
  named?: NamedDocument;
  assigned_by?: Author;
  state: PixReceiptState;
  refusal?: string;
  returned?: string;
  dismissed?: NonNullable<PixReceipt['dismissed']>;
  refunds: RefundDocument[];
  next_at?: Date;
  tells_again?: true;
  version: number;
};

const required = <T>(type: T) => ({ type, required: true }) as const;
const absentOr = <T>(type: T) => ({ type, allowNull: false }) as const;
const authorSchema = embeddedSchema<Author>({
  id: required(Number),
  name: required(String),
  role: { type: String, required: true, enum: roles },
});
export const pixReceiptSchema = collectionSchema<ReceiptDocument>('pix_receipts', {
  _id: { type: String },
  amount: { type: String, required: true, maxlength: 24 },
  received_at: required(Date),
  txid: { type: String, maxlength: 35, allowNull: false },
  note: { type: String, maxlength: 140, allowNull: false },
  payment_id: absentOr(Number),
  named: absentOr(embeddedSchema<NamedDocument>({ id: required(Number), created_at: required(Date) })),
  assigned_by: absentOr(authorSchema),
  state: { type: String, required: true, enum: pixReceiptStates },
  refusal: { type: String, maxlength: 64, allowNull: false },
  returned: { type: String, maxlength: 24, allowNull: false },
  dismissed: absentOr(
    embeddedSchema<NonNullable<PixReceipt['dismissed']>>({
      reason: { type: String, required: true, maxlength: 200 },
      at: required(Date),
      by: required(authorSchema),
    }),
  ),
  refunds: {
    type: [
      embeddedSchema<RefundDocument>({
        id: { type: String, required: true, maxlength: 35 },
        status: { type: String, required: true, enum: pixRefundStatuses },
        at: required(Date),
        by: required(authorSchema),
        consent: { type: String, required: true, maxlength: 4096 },
        jti: { type: String, required: true, maxlength: 64 },
        request_key: absentOr(String),
        request_fingerprint: absentOr(String),
        denied_at: absentOr(Date),
      }),
    ],
    required: true,
  },
  next_at: absentOr(Date),
  tells_again: absentOr(Boolean),
  version: { type: Number, required: true, min: 1 },
  ...outboxFields,
})
  .index({ received_at: -1, _id: -1 }, { name: 'page' })
  .index({ state: 1, received_at: -1, _id: -1 }, { name: 'page_by_state' })
  .index(
    { 'refunds.request_key': 1 },
    { name: 'refund_by_key', partialFilterExpression: { 'refunds.request_key': { $exists: true } } },
  )
  .index({ next_at: 1 }, { name: 'due', partialFilterExpression: { next_at: { $exists: true } } })
  .index(...outboxIndex);

const toRefundDocument = ({ request, deniedAt, ...refund }: Refund): RefundDocument => ({
  ...refund,
  ...(request && { request_key: request.key, request_fingerprint: request.fingerprint }),
  ...(deniedAt && { denied_at: deniedAt }),
});
const toRefund = ({
  request_key: key,
  request_fingerprint: fingerprint,
  denied_at: deniedAt,
  ...refund
}: RefundDocument): Refund => ({
  ...refund,
  request: key === undefined || fingerprint === undefined ? null : { key, fingerprint },
  deniedAt: deniedAt ?? null,
});

export type ReceiptFields = Omit<ReceiptDocument, keyof WithOutbox>;
export const toReceiptFields = (receipt: PixReceipt): ReceiptFields => ({
  _id: receipt.endToEndId,
  amount: fromMinor(receipt.amountMinor),
  received_at: receipt.receivedAt,
  ...(receipt.txid !== null && { txid: receipt.txid }),
  ...(receipt.note !== null && { note: receipt.note }),
  ...(receipt.paymentId !== null && { payment_id: receipt.paymentId }),
  ...(receipt.named && { named: { id: receipt.named.id, created_at: receipt.named.createdAt } }),
  ...(receipt.assignedBy && { assigned_by: receipt.assignedBy }),
  state: receipt.state,
  ...(receipt.refusal !== null && { refusal: receipt.refusal }),
  ...(receipt.returnedMinor > 0n && { returned: fromMinor(receipt.returnedMinor) }),
  ...(receipt.dismissed && { dismissed: receipt.dismissed }),
  refunds: receipt.refunds.map(toRefundDocument),
  ...(receipt.nextAt && { next_at: receipt.nextAt }),
  ...(receipt.tellsAgain && { tells_again: true }),
  version: receipt.version,
});
export const toReceipt = ({ _id: endToEndId, ...document }: ReceiptFields): PixReceipt => ({
  endToEndId,
  amountMinor: toMinor(document.amount),
  receivedAt: document.received_at,
  txid: document.txid ?? null,
  note: document.note ?? null,
  paymentId: document.payment_id ?? null,
  named: document.named ? { id: document.named.id, createdAt: document.named.created_at } : null,
  assignedBy: document.assigned_by ?? null,
  state: document.state,
  refusal: document.refusal ?? null,
  returnedMinor: toMinor(document.returned ?? '0'),
  dismissed: document.dismissed ?? null,
  refunds: document.refunds.map(toRefund),
  nextAt: document.next_at ?? null,
  tellsAgain: document.tells_again ?? false,
  version: document.version,
});
