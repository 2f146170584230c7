import Joi from 'joi';
import { endpoint, manager, roles, staff } from './endpoint.ts';
import { actor, orderStatus } from './orders.ts';
import { maxQuantity, ownRefundMinutes } from './rules.ts';
import { instant } from './instant.ts';
import {
  amount,
  count,
  currencyCode,
  documented,
  id,
  line,
  list,
  money,
  component,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  price,
  tableName,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { nameTranslations } from './translations.ts';
import { role } from './users.ts';

/** Creates a schema for a rate in percent with at most two decimal places, from `"0"` to `"100"`. */
export const rate = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(100(\.0{1,2})?|[1-9]?[0-9](\.[0-9]{1,2})?)$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a percentage such as "10.00", at most 100' })
    .example('10.00');
/** Creates a schema like `rate` that rejects zero. */
const percent = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(?!0(\.0{1,2})?$)(100(\.0{1,2})?|[1-9]?[0-9](\.[0-9]{1,2})?)$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a percentage from "0.01" to "100"' })
    .example('10.00');

export const billStatuses = ['open', 'closed', 'merged'] as const;
export type BillStatus = (typeof billStatuses)[number];
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
export const paymentMethods = ['cash', 'card', 'other', 'account'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

const maxShares = 50;
const maxParts = 20;
const shareCount = () => id().max(maxShares);
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
/** The part that one payment pays: exactly one of the rest, equal shares, an amount, or lines. */
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
/** The part of a bill that a payment was made for, as requested. */
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

const person = { id: id().example(5), name: text(255).example('Ana') };
const paymentShape = {
  id: id().example(77),
  bill_id: id().example(312),
  method: oneOf(...paymentMethods).example('cash'),
  status: paymentStatus.example('paid'),
  part: paidPart,
  amount: money().example('104.17'),
  tip: money().example('5.83'),
  /** `amount` and `tip` together. */
  total: money().example('110.00'),
  received: nullable(money().example('120.00')),
  change: nullable(money().example('10.00')),
  reference: nullable(text(64)).example(null),
  payer: nullable(object(person)).example(null),
  transfer_id: nullable(id()).example(null),
  expires_at: nullable(time()).example(null),
  recorded_by: actor,
  created_at: time(),
  settled_at: nullable(time()),
  /** The refund; null if there was none. Absent in events from earlier releases. */
  refund: optional(
    nullable(
      object({
        at: time(),
        /** The refund's method. */
        method: oneOf(...paymentMethods).example('cash'),
        /** The reason, for staff only; absent if none was given. */
        reason: optional(text(200).example('Charged twice')),
        by: nullable(actor).description('Null if an earlier release made the refund.'),
      }),
    ).example(null),
  ),
};
export const billPayment = component('BillPayment', object(paymentShape));
export type BillPayment = Infer<typeof billPayment>;

const billLine = component(
  'BillLine',
  object({
    id: id().example(2201),
    order_id: id().example(1042),
    ticket: id().example(37),
    name: text(255).example('Feijoada'),
    /** The dish's name in other languages; absent if it had no translations. */
    name_translations: optional(nameTranslations),
    quantity: id().max(maxQuantity).example(2),
    unit_price: money(),
    amount: money().example('65.00'),
    discount: money().example('0.00'),
    status: orderStatus.example('delivered'),
    /** How many of the line's `of` pieces are covered by active payments for lines. */
    settled: object({ count: count().example(0), of: id().example(2) }),
    ordered_by: object({ id: id().example(5), name: nullable(text(255)).example('Ana') }),
  }),
);
const discount = component(
  'BillDiscount',
  object({
    id: id().example(1),
    line_id: nullable(id()).example(null),
    percent: nullable(rate()).example(null),
    /** How much the discount takes off now. */
    amount: money().example('5.00'),
    label: nullable(text(60)).example('Birthday'),
  }),
);
export const bill = component(
  'Bill',
  object({
    id: id().example(312),
    number: nullable(id()).example(null),
    status: oneOf(...billStatuses).example('open'),
    version: id().example(9),
    table: nullable(text(16)).example('12'),
    seating: nullable(id()).example(88),
    currency: currencyCode(),
    lines: list(billLine),
    discounts: list(discount).example([]),
    items_total: money().example('65.00'),
    discount_total: money().example('0.00'),
    service_charge: object({ rate: rate(), included: yesOrNo().example(true), amount: money().example('6.50') }),
    rounding: money().example('0.00'),
    total: money().example('71.50'),
    paid: money().example('0.00'),
    reserved: money().example('0.00'),
    remaining: money().example('71.50'),
    tips: money().example('0.00').description('Tips of the payments in `paid` that were not refunded.'),
    refunded: money()
      .example('0.00')
      .description('How much of `paid` was refunded after the bill was closed; `0.00` while it is open.'),
    split: object({
      mode: oneOf('none', 'lines', 'shares', 'amount'),
      shares_of: nullable(shareCount()).example(null),
      shares_taken: count().example(0),
    }),
    taxes: list(object({ rate: rate(), net: money(), tax: money() }))
      .example([])
      .description('Not used yet: always empty.'),
    payments: list(billPayment).example([]),
    merged_into: nullable(id()).example(null),
    day: nullable(id()).example(null).description('Not used yet: always null.'),
    created_at: time(),
    closed_at: nullable(time()).example(null),
    updated_at: time(),
  }),
);
export type Bill = Infer<typeof bill>;

export const billChanges = [
  'ordered',
  'item_cancelled',
  'order_moved',
  'discount_given',
  'discount_taken_away',
  'service_charge',
  'table',
  'merged',
  'payment_recorded',
  'payment_reserved',
  'payment_cancelled',
  'payment_expired',
  'payment_claimed',
  'payment_paid',
  'payment_failed',
  'payment_refunding',
  'payment_refunded',
  'closed',
  'reopened',
] as const;
export type BillChange = (typeof billChanges)[number];
export const billChange = oneOf(...billChanges);

const billHistoryEntry = component(
  'BillHistoryEntry',
  object({
    at: time(),
    actor: object({ ...person, role }),
    what: billChange.example('discount_given'),
    reason: optional(text(200).example('Waited too long')),
    amount: optional(money().example('5.00')),
    line_id: optional(id()),
    payment_id: optional(id()),
    version: id().example(4),
  }),
);

const billId = { id: id().example(312) };
const paymentId = { ...billId, payment_id: id().example(77) };
const theBill = { about: 'The bill', body: bill, headers: ['ETag'] } as const;
const thePayment = { about: 'The payment', body: billPayment } as const;
const noBody = object({});

const statusList = Joi.string()
  .pattern(/^(open|closed|merged)(,(open|closed|merged)){0,2}$/)
  .messages({
    'string.pattern.base': `{{#label}} must be one or more of ${billStatuses.join(', ')}, separated by commas`,
  })
  .example('open');
export const listBills = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/bills',
  name: 'listBills',
  who: roles,
  summary: 'List bills, newest first: guests see those of their seating and of their own orders, staff all',
  query: {
    status: optional(statusList),
    table: optional(tableName()),
    seating: optional(id()),
    day: optional(id().description('Not used yet: with it, the list is always empty.')),
    ...pagesByNumber,
  },
  responses: { 200: { about: 'One page', body: list(bill), headers: ['Link'] } },
  problems: [],
});
export const getBill = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/bills/{id}',
  name: 'getBill',
  who: roles,
  summary: 'Get one bill',
  details:
    'A bill belongs to one seating, or to one order without a seating, until it is closed. Its lines are the items of its orders that are not cancelled. All amounts follow from the lines: `total` = `paid` + `reserved` + `remaining`, in every version.',
  params: billId,
  responses: {
    200: theBill,
    304: { about: 'Not changed since the version in `If-None-Match`', body: null, headers: ['ETag'] },
  },
  problems: ['not_found'],
});
export const getBillHistory = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/bills/{id}/history',
  name: 'getBillHistory',
  who: staff,
  summary: 'List the changes of a bill, oldest first',
  params: billId,
  responses: { 200: { about: 'Every change, with its time, user and reason', body: list(billHistoryEntry) } },
  problems: ['not_found'],
});
export const giveDiscount = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/discounts',
  name: 'giveDiscount',
  who: staff,
  idempotencyKey: 'accepted',
  summary: 'Discount one line or the whole bill',
  details:
    "Discounts of lines apply first, then those of the bill, each in the order of their ids. A discount never takes more than is left. Waiters may discount up to the restaurant's `waiter_discount_limit`, managers without limit. If items are cancelled or moved later, the limit applies to the remaining items: `amount` of a discount is what it takes now.",
  params: billId,
  body: documented(
    object({
      percent: optional(percent()),
      amount: optional(amount()),
      reason: line(200).example('Waited too long'),
      label: optional(line(60)),
      line_id: optional(id()),
    }).xor('percent', 'amount'),
    { schema: { oneOf: [{ required: ['percent'] }, { required: ['amount'] }] } },
  ).example({ amount: '5.00', reason: 'Waited too long' }),
  responses: { 201: { about: 'The bill with the discount', body: bill, headers: ['ETag', 'Idempotent-Replayed'] } },
  problems: [
    'forbidden',
    'not_found',
    'unprocessable_content',
    'bill_not_open',
    'bill_item_settled',
    'discount_too_large',
    'bill_overpaid',
    'version_mismatch',
  ],
});
export const takeDiscountAway = endpoint({
  service: 'orders',
  method: 'DELETE',
  path: '/bills/{id}/discounts/{discount_id}',
  name: 'takeDiscountAway',
  who: staff,
  summary: 'Remove a discount',
  params: { ...billId, discount_id: id().example(1) },
  responses: { 200: theBill },
  problems: ['not_found', 'bill_not_open', 'bill_item_settled', 'version_mismatch'],
});
export const setServiceCharge = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/bills/{id}/service-charge',
  name: 'setServiceCharge',
  who: roles,
  summary: 'Include or decline the service charge',
  details:
    "Guests of the table may do so too if the restaurant's service charge is optional and nothing is paid yet. They may change it 20 times on one bill, then the response is 429 `rate_limited`. Setting the current value again changes nothing.",
  params: billId,
  body: object({ included: yesOrNo() }).example({ included: false }),
  responses: { 200: theBill },
  problems: ['forbidden', 'not_found', 'bill_not_open', 'bill_has_payments', 'version_mismatch'],
});
export const setBillTable = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/bills/{id}/table',
  name: 'setBillTable',
  who: staff,
  summary: 'Move the bill to another table, with its orders that are not delivered',
  params: billId,
  body: object({ table: tableName() }).example({ table: '14' }),
  responses: { 200: theBill },
  problems: ['not_found', 'bill_not_open', 'version_mismatch'],
});
export const mergeBill = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/merge',
  name: 'mergeBill',
  who: staff,
  summary: 'Merge this bill into another one, which takes over its lines and their discounts',
  details:
    'Discounts of the whole bill are dropped. The orders join the seating of the other bill and keep their table. Repeating the call returns the other bill as it is.',
  params: billId,
  body: object({ into: id() }).example({ into: 313 }),
  responses: { 200: { ...theBill, about: 'The bill that now has the lines' } },
  problems: ['not_found', 'bill_not_open', 'bill_has_payments', 'bill_overpaid', 'version_mismatch'],
});
export const closeBill = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/close',
  name: 'closeBill',
  who: staff,
  summary: 'Close a paid bill, which gives it its number',
  details:
    'Closed bills are numbered from 1, without a gap. Closing a closed bill again changes nothing except for `end_seating`. With it, the seating of the bill accepts no more orders (409 `seating_closed`), and its guests get the event `seating.closed`. Close the table too. After a 503, repeat the call: the bill may already be closed. If a bill will not be paid, a manager discounts it and gives the reason.',
  params: billId,
  body: object({ end_seating: optional(yesOrNo()) }).example({ end_seating: true }),
  responses: { 200: theBill },
  problems: ['not_found', 'bill_not_open', 'bill_unsettled', 'version_mismatch'],
});
export const reopenBill = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/reopen',
  name: 'reopenBill',
  who: manager,
  summary: 'Reopen a closed bill, unless its seating has a newer bill or its orders are archived',
  params: billId,
  body: object({ reason: line(200) }).example({ reason: 'A dish was missing' }),
  responses: { 200: theBill },
  problems: ['not_found', 'bill_not_open', 'version_mismatch'],
});

export const payBill = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/payments',
  name: 'payBill',
  who: roles,
  idempotencyKey: 'accepted',
  summary: 'Record a payment, or reserve what you pay from your account: the rest, equal shares, an amount, or lines',
  details:
    'Staff record `cash`, `card` and `other`. A customer with an account who may read the bill pays by `account`: this reserves the part for 5 minutes, and `POST /accounts/bill-payments` pays it. A customer has one reservation per bill: a new one replaces it. The server computes the price of the part. `expected_amount` is the price that the payer saw, without the tip. If the price has changed, nothing is recorded and 409 `bill_changed` has the new one. Any number of guests may pay at the same time. Checks, in this order: the bill is open, the part is free, the amount is not above what remains, the part costs something, the price is as expected, `received` is enough.',
  params: billId,
  body: documented(
    object({
      method: oneOf(...paymentMethods),
      part: billPart,
      expected_amount: price().example('71.50'),
      tip: optional(price().example('5.00')),
      received: optional(amount().example('80.00')),
      reference: optional(line(64)),
    }),
    // The service checks this rule itself, because it depends on the caller: only staff may send a reference.
    {
      schema: {
        not: {
          anyOf: [
            {
              required: ['received'],
              properties: { method: { enum: paymentMethods.filter((each) => each !== 'cash') }, received: {} },
            },
            { required: ['reference'], properties: { method: { const: 'account' }, reference: {} } },
          ],
        },
      },
    },
  ).example({ method: 'cash', part: { rest: true }, expected_amount: '71.50', tip: '5.00', received: '80.00' }),
  responses: { 201: { ...thePayment, headers: ['Location', 'Idempotent-Replayed'] } },
  problems: [
    'forbidden',
    'account_required',
    'not_found',
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
  responses: { 200: thePayment },
  problems: ['not_found'],
});
export const cancelBillPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/payments/{payment_id}/cancel',
  name: 'cancelBillPayment',
  who: roles,
  summary: 'Cancel a reserved payment by account: its payer, or staff',
  details: 'Its part is free again. Cancelling a cancelled payment changes nothing.',
  params: paymentId,
  body: noBody,
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
  details: `The waiter who recorded it may refund it for ${ownRefundMinutes} minutes while the bill is open, a manager at any time. Others get 403 \`forbidden\`. The money goes back the way it was paid. A manager may refund a card or other payment in cash: \`method\`.\n\nOn an open bill, its part is free again, and it no longer counts in \`paid\`. On a closed bill, the total and \`paid\` stay, \`refunded\` grows, and its tip leaves \`tips\`. To charge again, reopen the bill.`,
  params: paymentId,
  body: object({
    reason: line(200),
    method: optional(oneOf('cash').description('How the money is refunded; by default, the way it was paid.')),
  }).example({ reason: 'Charged twice' }),
  responses: { 200: thePayment },
  problems: ['forbidden', 'not_found', 'payment_not_payable', 'refund_by_transfer', 'version_mismatch'],
});

export const claimPurposes = ['payment', 'refund'] as const;
export type ClaimPurpose = (typeof claimPurposes)[number];
/**
 * What the transfers service needs to know about a payment from an account. Unknown fields are ignored, so that a newer orders
 * service can respond to an older transfers service.
 */
const accountPayment = object({
  id: id().example(77),
  bill_id: id().example(312),
  /** `expired` if the payment's reservation has expired. */
  status: paymentStatus.example('reserved'),
  total: money().example('110.00'),
  currency: currencyCode(),
  payer_id: id().example(5),
  /** The transfer that paid the amount; null until then. */
  transfer_id: nullable(id()).example(null),
  /** The step-up token that claimed the payment, while the payment is `claimed` or `refunding`; otherwise null. */
  claim: nullable(object({ purpose: oneOf(...claimPurposes), jti: text(64) })).example(null),
}).unknown();
export type AccountPayment = Infer<typeof accountPayment>;
const internalPayment = { id: id().example(77) };
const theAccountPayment = { about: 'The payment', body: accountPayment } as const;

/** The transfers service calls this with the payer's or a manager's access token. Other users get 404. */
export const getAccountPayment = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/internal/bill-payments/{id}',
  name: 'getAccountPayment',
  who: roles,
  account: 'required',
  callers: ['transfers'],
  summary: 'Get a payment by account',
  params: internalPayment,
  responses: { 200: theAccountPayment },
  problems: ['not_found'],
});
/**
 * The transfers service calls this before it posts a transfer: for `payment` with the payer's access token, for `refund` with a
 * manager's. Once a payment is claimed, only `settle` ends it. Safe to retry with the same `jti`.
 */
export const claimAccountPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/bill-payments/{id}/claim',
  name: 'claimAccountPayment',
  who: roles,
  account: 'required',
  callers: ['transfers'],
  summary: 'Claim a reserved payment, or a paid one for its refund, for one step-up token',
  details:
    'Returns 409 `payment_not_payable` if the payment has another status, another token has claimed it, a settlement has barred `jti`, or `token_expires_at` has passed.',
  params: internalPayment,
  body: object({
    purpose: oneOf(...claimPurposes),
    jti: text(64).example('0b1f7d5e-4a55-4d0f-8a5b-0d6f1e8f6c11'),
    token_expires_at: instant(),
    total: money().example('110.00'),
    currency: currencyCode(),
  }).unknown(),
  responses: { 200: theAccountPayment },
  problems: ['forbidden', 'not_found', 'payment_not_payable', 'amount_mismatch', 'currency_mismatch'],
});
/**
 * The transfers service calls this without a user. The statement is a compact JWS signed by transfers: `receipt+jws` for a
 * transfer of the kind `bill_payment` or `bill_refund`, `refusal+jws` or `expiry+jws`. Safe to retry.
 */
export const settleAccountPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/bill-payments/{id}/settle',
  name: 'settleAccountPayment',
  who: 'anyone',
  callers: ['transfers'],
  summary: 'Settle a claimed payment with a signed statement, or bar a token for it',
  details:
    "A receipt must match this payment, its payer, total and currency. Its token is the one that claimed the payment. It may be another one if the orders database was restored to a time before the claim. A refusal or an expiry bars its token for this payment, even if it hasn't claimed it. If it has, the payment becomes `failed`, or `paid` again if it was a refund. A statement that does not prove this changes nothing: 409 `payment_not_payable`.",
  params: internalPayment,
  body: object({ statement: text(8192) }).unknown(),
  responses: { 200: theAccountPayment },
  problems: ['not_found', 'payment_not_payable'],
});

export const bills = [
  listBills,
  getBill,
  getBillHistory,
  giveDiscount,
  takeDiscountAway,
  setServiceCharge,
  setBillTable,
  mergeBill,
  closeBill,
  reopenBill,
  payBill,
  getBillPayment,
  cancelBillPayment,
  refundBillPayment,
];
