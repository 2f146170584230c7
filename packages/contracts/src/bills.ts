import { role } from './actor.ts';
import { billId, billPayment, person, shareCount } from './bill-payments.ts';
import { billQuery, billStatuses } from './bill-query.ts';
import { endpoint, manager, roles, staff } from './endpoint.ts';
import { itemOptions } from './item-options.ts';
import { measure } from './measure.ts';
import { orderStatus } from './order.ts';
import { maxQuantity } from './rules.ts';
import {
  amount,
  component,
  count,
  currencyCode,
  documented,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  percent,
  rate,
  tableName,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { nameTranslations } from './translations.ts';

const billLine = component(
  'BillLine',
  object({
    id: id().example(2201),
    order_id: id().example(1042),
    ticket: id().example(37),
    name: text(255).example('Feijoada'),
    /** The dish's name in other languages; absent if it had no translations. */
    name_translations: optional(nameTranslations),
    /** The options that were chosen. Absent in events from earlier releases. */
    options: optional(itemOptions),
    quantity: id().max(maxQuantity).example(2),
    unit_price: money(),
    measure: optional(nullable(measure)),
    amount: money().example('65.00'),
    discount: money().example('0.00'),
    status: orderStatus.example('delivered'),
    /** The line is divided into `of` pieces. Active payments for lines cover `count` of them. */
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
    /** How much the discount currently takes off. */
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
    covers: optional(nullable(id()))
      .example(3)
      .description('The number of guests. Null if staff have not entered it; absent in events from earlier releases.'),
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
    day: nullable(id()).example(null).description('Null while it is open, or if closed before days had numbers.'),
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

const billHistoryEntry = component(
  'BillHistoryEntry',
  object({
    at: time(),
    actor: object({ ...person, role }),
    what: oneOf(...billChanges).example('discount_given'),
    reason: optional(text(200).example('Waited too long')),
    amount: optional(money().example('5.00')),
    line_id: optional(id()),
    payment_id: optional(id()),
    version: id().example(4),
  }),
);
const theBill = { about: 'The bill', body: bill, headers: ['ETag'] } as const;

export const listBills = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/bills',
  name: 'listBills',
  who: roles,
  summary: 'List bills, newest first: guests see those of their seating and of their own orders, staff all',
  details:
    'All filters must match. `amount`, `method` and `person` are about one payment: with several of them, the same payment matches all.',
  query: billQuery,
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
  exampleNeeds: 'a bill',
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
  exampleNeeds: 'a bill',
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
  exampleNeeds: 'a bill',
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
  exampleNeeds: 'a discount',
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
  exampleNeeds: 'a bill',
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
  exampleNeeds: 'a bill',
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
  exampleNeeds: 'two bills',
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
  exampleNeeds: 'a paid bill',
  responses: { 200: theBill },
  problems: ['not_found', 'bill_not_open', 'bill_unsettled', 'version_mismatch'],
});
export const reopenBill = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/bills/{id}/reopen',
  name: 'reopenBill',
  who: manager,
  summary: 'Reopen a closed bill, unless its seating has a newer bill, its day is closed or its orders are archived',
  params: billId,
  body: object({ reason: line(200) }).example({ reason: 'A dish was missing' }),
  exampleNeeds: 'a closed bill',
  responses: { 200: theBill },
  problems: ['not_found', 'bill_not_open', 'version_mismatch'],
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
];
