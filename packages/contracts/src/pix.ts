import Joi from 'joi';
import { currency } from './accounts.ts';
import { endpoint, manager, roles, staff } from './endpoint.ts';
import { pixCodeMinutes, pixReservationMinutes } from './rules.ts';
import {
  amount,
  component,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  pagesByTimeOfPix,
  someOf,
  text,
  time,
  type Infer,
} from './schema.ts';

/**
 * How a restaurant takes Pix. `off`: not at all. `staff`: the code names the restaurant's key, and staff confirm what they see in
 * the bank's app. `bank`: the bank knows each charge, and says what was paid.
 */
export const pixModes = ['off', 'staff', 'bank'] as const;
export type PixMode = (typeof pixModes)[number];
/** The modes in which charges are created. */
export const pixChargeModes = ['staff', 'bank'] as const;
export type PixChargeMode = (typeof pixChargeModes)[number];

export const pixReceiptStates = ['settling', 'settled', 'unmatched', 'dismissed', 'refunding', 'refunded'] as const;
export type PixReceiptState = (typeof pixReceiptStates)[number];
export const pixReceiptState = component('PixReceiptState', oneOf(...pixReceiptStates));
export const pixRefundStatuses = ['processing', 'done', 'failed'] as const;
export type PixRefundStatus = (typeof pixRefundStatuses)[number];

/** The id that the payer's bank gives each Pix. */
export const endToEndId = () =>
  Joi.string()
    .pattern(/^[A-Za-z0-9]{1,64}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be up to 64 letters and digits' })
    .example('E00000000202611202100abcdef12345');

const pixCharge = component(
  'PixCharge',
  object({
    payment_id: id().example(77),
    /** The id of the charge at the bank: 32 letters and digits; 25 if staff confirm it. */
    txid: text(35).example('7d9f0335d6c64f3b8f3b0c2a1e4d5f60'),
    /** The text of the QR code, to show or to copy. */
    code: text(1024).example(
      '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5914Cantina da Ana6009SAO PAULO62070503***6304FB29',
    ),
    amount: money().example('110.00'),
    mode: oneOf(...pixChargeModes).example('bank'),
    /** The end of the reservation. */
    expires_at: time(),
  }),
);
export type PixCharge = Infer<typeof pixCharge>;

const author = object({ id: id().example(3), name: text(255).example('Marta') });
const receiptShape = {
  end_to_end_id: endToEndId(),
  amount: money().example('110.00'),
  received_at: time(),
  txid: nullable(text(35)).example('7d9f0335d6c64f3b8f3b0c2a1e4d5f60').description('Null if the payer named none.'),
  payment_id: nullable(id())
    .example(77)
    .description('The payment that it pays, or for which it was last checked; null if none is known.'),
  state: pixReceiptState.example('settled'),
  reason: nullable(text(64))
    .example(null)
    .description(
      'Why it matches no payment: `no_charge`, `not_found`, `wrong_amount`, `already_paid`, `refunded`, `bill_closed` or `part_taken`. `returned`: the bank has returned some or all of it by itself.',
    ),
  dismissed: nullable(object({ reason: text(200).example('Rent'), at: time(), by: author })).example(null),
  note: nullable(text(140)).example(null).description("The payer's own text."),
  refunds: list(
    object({
      id: text(35).example('R4c0a2d9be0f14a5c9f3e7d1b2a6c8e0'),
      status: oneOf(...pixRefundStatuses).example('done'),
      at: time(),
      by: author,
    }),
  ).example([]),
  version: id().example(2),
};
export const pixReceipt = component('PixReceipt', object(receiptShape));
export type PixReceipt = Infer<typeof pixReceipt>;
const { note: _note, ...receiptInEventShape } = receiptShape;
/** A receipt without the payer's text. */
export const pixReceiptInEvent = component('PixReceiptInEvent', object(receiptInEventShape));

const e2e = { e2e: endToEndId() };
const theReceipt = { about: 'The receipt', body: pixReceipt } as const;
const paymentId = { payment_id: id().example(77) };

export const getPix = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/pix',
  name: 'getPix',
  who: 'anyone',
  summary: 'Get how the restaurant takes Pix',
  details:
    "`off`: not at all. `staff`: staff confirm each payment after they see it in the bank's app. `bank`: the bank confirms payments.",
  responses: { 200: { about: 'The mode', body: object({ mode: oneOf(...pixModes).example('bank') }) } },
  problems: [],
});
export const createPixCharge = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/pix/charges',
  name: 'createPixCharge',
  who: roles,
  summary: 'Get the Pix code for a reserved payment: whoever can read its bill',
  details: `First reserve the payment (\`POST /bills/{id}/payments\` with the method \`pix\`), which lasts ${pixReservationMinutes} minutes. \`amount\` is its \`total\`, with the tip. A payment has one code: the first call returns 201, later ones 200 with the same code, even after the payment has ended. After a 503, repeat the call. A payment that ends within ${pixCodeMinutes} minutes is 409 \`payment_not_payable\`. \`bill.changed\` reports that it is paid. A user can make 10 of these calls a minute at each instance of transfers.`,
  body: object({ ...paymentId, amount: amount().example('110.00'), currency }),
  exampleNeeds: 'a payment by Pix',
  responses: {
    200: { about: 'The code that the payment already has', body: pixCharge },
    201: { about: 'The new code', body: pixCharge, headers: ['Location'] },
  },
  problems: ['pix_off', 'not_found', 'payment_not_payable', 'amount_mismatch'],
});
export const getPixCharge = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/pix/charges/{payment_id}',
  name: 'getPixCharge',
  who: roles,
  summary: 'Get the Pix code that a payment already has: whoever can read its bill',
  params: paymentId,
  exampleNeeds: 'a Pix charge',
  responses: { 200: { about: 'The code', body: pixCharge } },
  problems: ['not_found'],
});
export const confirmPixCharge = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/pix/charges/{payment_id}/confirm',
  name: 'confirmPixCharge',
  who: staff,
  summary: "Confirm that a Pix is in the bank's app",
  details:
    'Staff confirm charges of the mode `staff`; charges of the mode `bank` can only be confirmed by a manager (403 `forbidden`). The payment is `paid` with `confirmed_by: "staff"` until the bank reports the Pix. If the bank was first, `confirmed_by` is `bank`. `reference` is stored in the payment.',
  params: paymentId,
  body: object({ reference: optional(line(64)) }).example({ reference: 'E0000' }),
  mayOmitBody: true,
  exampleNeeds: 'a Pix charge',
  responses: {
    200: {
      about: 'The payment is paid',
      body: object({ ...paymentId, confirmed_by: oneOf('bank', 'staff').example('staff') }),
    },
  },
  problems: ['forbidden', 'not_found', 'payment_not_payable'],
});
export const listPixReceipts = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/pix/receipts',
  name: 'listPixReceipts',
  who: manager,
  summary: 'List the Pix that the bank has received, newest first',
  details:
    '`settling`: orders decides which payment it pays. `settled`: it pays `payment_id`. `unmatched`: it pays none, because of `reason`; assign, refund or dismiss it. `dismissed`: a manager has said that it belongs to no bill. `refunding`, `refunded`: it goes back to its payer.',
  query: { state: optional(someOf(pixReceiptStates).example('unmatched')), ...pagesByTimeOfPix },
  responses: { 200: { about: 'One page', body: list(pixReceipt), headers: ['Link'] } },
  problems: [],
});
export const getPixReceipt = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/pix/receipts/{e2e}',
  name: 'getPixReceipt',
  who: manager,
  summary: 'Get one Pix that the bank has received',
  params: e2e,
  exampleNeeds: 'a Pix receipt',
  responses: { 200: theReceipt },
  problems: ['not_found'],
});
export const refundPix = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/pix/receipts/{e2e}/refunds',
  name: 'refundPix',
  who: manager,
  account: 'required',
  stepUp: {
    key: 'pix_refund.create',
    details: {
      type: 'pix_refund',
      members: { end_to_end_id: 'e2e', amount: 'amount', currency: 'currency' },
    },
    required: true,
  },
  idempotencyKey: 'accepted',
  summary: 'Refund a Pix in full to its payer, whether or not it pays a bill',
  details:
    'The bank returns the money within minutes. Until then the receipt is `refunding`, and its payment too. If the bank rejects it, the refund is `failed`, and the receipt is checked again. If the bank has already returned a part by itself, only the rest is sent.',
  params: e2e,
  body: object({ amount: amount().example('110.00'), currency }),
  exampleNeeds: 'a Pix receipt',
  responses: { 201: { ...theReceipt, headers: ['Location', 'Idempotent-Replayed'] } },
  problems: ['not_found', 'amount_mismatch', 'pix_receipt_state'],
});
export const assignPix = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/pix/receipts/{e2e}/assign',
  name: 'assignPix',
  who: manager,
  summary: 'Assign an unmatched Pix to a payment by Pix of the same total',
  details:
    'The response shows the decision: `settled`, or `unmatched` with the `reason`. It is `settling` while orders does not respond; for a payment without a Pix code, that is a 503, which changes nothing: repeat the call. If the first payment was rejected, reserve a new one and assign the Pix to that. `GET /exceptions` lists it as `pix_assigned`.',
  params: e2e,
  body: object(paymentId),
  exampleNeeds: 'a Pix receipt',
  responses: { 200: theReceipt },
  problems: ['not_found', 'pix_receipt_state'],
});
export const dismissPix = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/pix/receipts/{e2e}/dismiss',
  name: 'dismissPix',
  who: manager,
  summary: 'Dismiss an unmatched Pix that belongs to no bill',
  details: 'It can still be assigned or refunded later.',
  params: e2e,
  body: object({ reason: line(200).example('Rent') }),
  exampleNeeds: 'a Pix receipt',
  responses: { 200: theReceipt },
  problems: ['not_found', 'pix_receipt_state'],
});

const hint = {
  service: 'transfers',
  method: 'POST',
  who: 'anyone',
  details:
    'Give the bank this address as the webhook. A hint proves nothing: only its `endToEndId`s are read, and then the bank is asked.',
  anyBody: true,
  maxBodyKilobytes: 64,
  responses: { 200: { about: 'Received', body: object({}) } },
  problems: [],
} as const;
export const pixHint = endpoint({
  ...hint,
  path: '/pix-hints',
  name: 'pixHint',
  summary: "Receive the bank's hint that a Pix may have arrived",
});
export const pixHintOfPix = endpoint({
  ...hint,
  path: '/pix-hints/pix',
  name: 'pixHintOfPix',
  summary: 'The same call under the address to which banks append `/pix`',
});

export const pixEndpoints = [
  getPix,
  createPixCharge,
  getPixCharge,
  confirmPixCharge,
  listPixReceipts,
  getPixReceipt,
  refundPix,
  assignPix,
  dismissPix,
  pixHint,
  pixHintOfPix,
];
