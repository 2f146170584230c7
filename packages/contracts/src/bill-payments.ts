import Joi from 'joi';
import { actor } from './actor.ts';
import { cashDrawerName } from './cash-drawers.ts';
import { endpoint, roles, staff } from './endpoint.ts';
import { maxQuantity, ownRefundMinutes } from './rules.ts';
import {
  amount,
  component,
  documented,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  price,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

export const paymentStatuses = [
  'reserved',
  'claimed',
  'paid',
  'refunding',
  'refunded',
  'cancelled',
  'expired',
  'failed',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentStatus = component('PaymentStatus', oneOf(...paymentStatuses));
export const paymentMethods = ['cash', 'card', 'other', 'account', 'pix'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

const maxShares = 50;
const maxParts = 20;
export const shareCount = () => id().max(maxShares);
const chosenLine = documented(
  object({
    line_id: id().example(2202),
    quantity: optional(id().max(maxQuantity).example(2)),
    parts: optional(id().max(maxParts)),
    of: optional(Joi.number().integer().min(2).max(maxParts)),
  })
    .and('parts', 'of')
    .oxor('quantity', 'parts'),
  {
    schema: {
      dependentRequired: { parts: ['of'], of: ['parts'] },
      not: { required: ['quantity', 'parts'], properties: { quantity: {}, parts: {} } },
    },
  },
);
/** The part of the bill that one payment pays: exactly one of the rest, equal shares, an amount, or lines. */
export const billPart = component(
  'BillPart',
  documented(
    object({
      rest: optional(Joi.boolean().valid(true)),
      shares: optional(shareCount()),
      of: optional(shareCount()),
      amount: optional(amount()),
      lines: optional(list(chosenLine).min(1).max(100).unique('line_id')),
    })
      .xor('rest', 'shares', 'amount', 'lines')
      .and('shares', 'of'),
    { exactlyOneOf: ['rest', 'shares', 'amount', 'lines'], together: { of: 'shares' } },
  ).example({ rest: true }),
);
export type BillPart = Infer<typeof billPart>;
/** The part of the bill that a payment was made for, as the payer requested it. */
const paidPart = component(
  'PaidPart',
  object({
    rest: optional(yesOrNo()),
    shares: optional(shareCount()),
    of: optional(shareCount()),
    amount: optional(text(11)),
    lines: optional(
      list(
        object({
          line_id: id().example(2202),
          quantity: optional(id().example(2)),
          parts: optional(id()),
          of: optional(id()),
        }),
      ),
    ),
  }).example({ rest: true }),
);

export const person = { id: id().example(5), name: text(255).example('Ana') };
const paymentShape = {
  id: id().example(77),
  bill_id: id().example(312),
  method: oneOf(...paymentMethods).example('cash'),
  status: paymentStatus.example('paid'),
  part: paidPart,
  amount: money().example('104.17'),
  tip: money().example('5.83'),
  /** The sum of `amount` and `tip`. */
  total: money().example('110.00'),
  received: nullable(money().example('120.00')),
  change: nullable(money().example('10.00')),
  reference: nullable(text(64)).example(null),
  /** The cash drawer that got the money; null if it was not paid in cash. Absent in events from earlier releases. */
  cash_drawer: optional(nullable(cashDrawerName())),
  payer: nullable(object(person)).example(null),
  transfer_id: nullable(id()).example(null),
  /** Who confirmed a payment by Pix; null for other methods. Absent in events from earlier releases. */
  pix: optional(
    nullable(
      object({
        confirmed_by: nullable(oneOf('bank', 'staff'))
          .example('bank')
          .description('`bank`: the bank has received it. `staff`: a person has seen it. Null until it is paid.'),
        end_to_end_id: nullable(text(64).example('E00000000202611202100abcdef12345')).description(
          'For staff only; null for others, in events, and until the bank has reported it.',
        ),
      }),
    ).example(null),
  ),
  expires_at: nullable(time()).example(null),
  recorded_by: actor,
  created_at: time(),
  settled_at: nullable(time()),
  /** The payment's refund; null if there was none. Absent in events from earlier releases. */
  refund: optional(
    nullable(
      object({
        at: time(),
        /** The way in which the money was refunded. */
        method: oneOf(...paymentMethods).example('cash'),
        /** Why the payment was refunded, for staff only; absent if no reason was given. */
        reason: optional(text(200).example('Charged twice')),
        by: nullable(actor).description('Null if an earlier release made the refund.'),
      }),
    ).example(null),
  ),
};
export const billPayment = component('BillPayment', object(paymentShape));
export type BillPayment = Infer<typeof billPayment>;

export const billId = { id: id().example(312) };
const paymentId = { ...billId, payment_id: id().example(77) };
const thePayment = { about: 'The payment', body: billPayment } as const;
const noBody = object({});

export const payBill = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/payments',
  name: 'payBill',
  who: roles,
  idempotencyKey: 'accepted',
  summary:
    'Record a payment, or reserve what you pay from your account or by Pix: the rest, equal shares, an amount, or lines',
  details:
    'Staff record `cash`, `card` and `other`. A customer with an account who may read the bill pays by `account`: this reserves the part for 5 minutes, and `POST /accounts/bill-payments` pays it. `pix` reserves the part for 10 minutes, for staff and for everyone who may read the bill, guests too: `POST /pix/charges` returns its code. A customer has one reservation per bill, of either method: a new one replaces it. Staff can have several. The server computes the price of the part. `expected_amount` is the price that the payer saw, without the tip. If the price has changed, nothing is recorded and 409 `bill_changed` has the new one. Any number of guests may pay at the same time. Checks, in this order: the bill is open, the part is free, the amount is not above what remains, the part costs something, the price is as expected, `received` is enough. Cash goes into `cash_drawer`, by default `main`.',
  params: billId,
  body: documented(
    object({
      method: oneOf(...paymentMethods),
      part: billPart,
      expected_amount: price().example('71.50'),
      tip: optional(price().example('5.00')),
      received: optional(amount().example('80.00')),
      reference: optional(line(64)),
      cash_drawer: optional(cashDrawerName()),
    }),
    // The service checks whether a reference is allowed, because that depends on the caller: only staff may send one.
    {
      schema: {
        not: {
          anyOf: [
            ...['received', 'cash_drawer'].map((name) => ({
              required: [name],
              properties: { method: { enum: paymentMethods.filter((each) => each !== 'cash') }, [name]: {} },
            })),
            { required: ['reference'], properties: { method: { enum: ['account', 'pix'] }, reference: {} } },
          ],
        },
      },
    },
  ).example({ method: 'cash', part: { rest: true }, expected_amount: '71.50', tip: '5.00', received: '80.00' }),
  exampleNeeds: 'a bill',
  responses: { 201: { ...thePayment, headers: ['Location', 'Idempotent-Replayed'] } },
  problems: [
    'forbidden',
    'account_required',
    'not_found',
    'unprocessable_content',
    'bill_not_open',
    'bill_split_conflict',
    'amount_exceeds_remaining',
    'nothing_to_pay',
    'bill_changed',
    'amount_too_small',
    'version_mismatch',
  ],
});
export const getBillPayment = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/bills/{id}/payments/{payment_id}',
  name: 'getBillPayment',
  who: roles,
  summary: 'Get one payment of a bill',
  params: paymentId,
  exampleNeeds: 'a paid bill',
  responses: { 200: thePayment },
  problems: ['not_found'],
});
export const cancelBillPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/payments/{payment_id}/cancel',
  name: 'cancelBillPayment',
  who: roles,
  summary: 'Cancel a reserved payment by account or Pix: its payer, or staff',
  details:
    'Its part is free again. A Pix that arrives later still pays it, if the part is free. Cancelling a cancelled payment changes nothing.',
  params: paymentId,
  body: noBody,
  exampleNeeds: 'a reserved payment',
  responses: { 200: thePayment },
  problems: ['not_found', 'payment_not_payable', 'version_mismatch'],
});
export const refundBillPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/payments/{payment_id}/refund',
  name: 'refundBillPayment',
  who: staff,
  summary: 'Refund a payment in full, with its tip',
  details: `The waiter who recorded it may refund it for ${ownRefundMinutes} minutes while the bill is open, a manager at any time. Others get 403 \`forbidden\`. The money goes back the way it was paid. A payment by Pix can be refunded like this only if staff confirmed it. A manager may refund a card or other payment in cash: \`method\`. Cash comes from \`cash_drawer\`, by default the one that got the payment, or \`main\` if there is none or it is retired.\n\nOn an open bill, its part is free again, and it no longer counts in \`paid\`. On a closed bill, the total and \`paid\` stay, \`refunded\` grows, and its tip leaves \`tips\`. To charge again, reopen the bill.`,
  params: paymentId,
  body: object({
    reason: line(200),
    method: optional(oneOf('cash').description('How the money is refunded; by default, the way it was paid.')),
    cash_drawer: optional(cashDrawerName()),
  }).example({ reason: 'Charged twice' }),
  exampleNeeds: 'a paid bill',
  responses: { 200: thePayment },
  problems: [
    'forbidden',
    'not_found',
    'unprocessable_content',
    'payment_not_payable',
    'refund_by_transfer',
    'refund_by_pix',
    'version_mismatch',
  ],
});

export const billPayments = [payBill, getBillPayment, cancelBillPayment, refundBillPayment];
