import { accountId, currency, transferKinds } from './accounts.ts';
import { endpoint, manager, roles } from './endpoint.ts';
import {
  amount,
  component,
  id,
  line,
  money,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
  type Infer,
} from './schema.ts';

export const transfer = component(
  'Transfer',
  object({
    id: id().example(310),
    from_account_id: id().example(21),
    to_account_id: id().example(22),
    amount: money().example('12.50'),
    currency,
    description: nullable(text(140).example('Lunch')),
    /** The transfer's kind. `kind` and `payment_id` are absent in events from earlier releases. */
    kind: optional(oneOf(...transferKinds)),
    payment_id: optional(nullable(id())).example(null),
    status: oneOf('posted'),
    receipt: text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl'),
    created_at: time(),
  }),
);
export type Transfer = Infer<typeof transfer>;
/** A deposit, paid from the restaurant's cash account, whose id is 1. */
const postedDeposit = transfer.example({
  id: 309,
  from_account_id: 1,
  to_account_id: 21,
  amount: '1000.00',
  currency: 'BRL',
  description: null,
  kind: 'account_deposit',
  payment_id: null,
  status: 'posted',
  receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl',
  created_at: '2026-11-20T21:00:00.000Z',
});
/** A bill payment, paid to the restaurant's takings account, whose id is 2. */
const postedBillPayment = transfer.example({
  id: 311,
  from_account_id: 21,
  to_account_id: 2,
  amount: '110.00',
  currency: 'BRL',
  description: null,
  kind: 'bill_payment',
  payment_id: 77,
  status: 'posted',
  receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl',
  created_at: '2026-11-20T21:00:00.000Z',
});
const postedBillRefund = transfer.example({
  id: 312,
  from_account_id: 2,
  to_account_id: 21,
  amount: '110.00',
  currency: 'BRL',
  description: null,
  kind: 'bill_refund',
  payment_id: 77,
  status: 'posted',
  receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl',
  created_at: '2026-11-20T21:00:00.000Z',
});
const posted = {
  about: 'The posted transfer',
  body: transfer,
  headers: ['Location', 'Idempotent-Replayed'] as const,
};
export const deposit = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/accounts/{id}/deposits',
  name: 'deposit',
  who: manager,
  account: 'required',
  stepUp: {
    key: 'account_deposit.create',
    details: { type: 'account_deposit', members: { account_id: 'id', amount: 'amount', currency: 'currency' } },
  },
  idempotencyKey: 'accepted',
  summary: "Deposit cash: a transfer from the restaurant's cash account in the account's currency",
  details: 'With `currency`, only an account in this currency accepts the deposit.',
  params: accountId,
  body: object({ amount: amount().example('1000.00'), currency: optional(currency) }),
  exampleNeeds: "a customer's account",
  responses: { 201: { ...posted, body: postedDeposit } },
  problems: ['account_not_found', 'currency_mismatch'],
});
export const transferMoney = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/accounts/internal-transfers',
  name: 'transferMoney',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  stepUp: {
    key: 'internal_transfer.create',
    details: {
      type: 'internal_transfer',
      members: {
        from_account_id: { mayBeOpen: 'from_account_id' },
        to_account_id: 'to_account_id',
        amount: 'amount',
        currency: 'currency',
      },
    },
  },
  idempotencyKey: 'accepted',
  summary: 'Transfer money from your account to any other account',
  details:
    'All other errors are checked before the step-up token is spent; `insufficient_funds` is decided after that. With an `Idempotency-Key`, repeating the call returns the same final response. Without one, the call spends the token even if its response is lost. A second call with the token returns `step_up_used`; once the token has expired, `step_up_expired` says that no money moved. After a 503 with `outcome: "unknown"`, the transfer may still be posted until the token expires.',
  body: object({
    from_account_id: id().example(21),
    to_account_id: id().example(22),
    amount: amount(),
    currency: optional(currency),
    description: optional(line(140).example('Lunch')),
  }),
  exampleNeeds: 'two accounts',
  responses: { 201: posted },
  problems: ['account_not_found', 'same_account', 'currency_mismatch', 'insufficient_funds'],
});
export const getTransfer = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/internal-transfers/{id}',
  name: 'getTransfer',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Get one transfer of any kind; only for its parties and managers',
  params: { id: id().example(310) },
  exampleNeeds: 'a transfer',
  responses: { 200: { about: 'The transfer', body: transfer } },
  problems: ['not_found'],
});

export const payBillFromAccount = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/accounts/bill-payments',
  name: 'payBillFromAccount',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  stepUp: {
    key: 'bill_payment.create',
    // The payee is always the restaurant, so the details do not name one.
    details: {
      type: 'bill_payment',
      members: {
        payment_id: 'payment_id',
        from_account_id: { mayBeOpen: 'from_account_id' },
        amount: 'amount',
        currency: 'currency',
      },
    },
    required: true,
  },
  idempotencyKey: 'accepted',
  summary: 'Pay a reserved payment of a bill from your account',
  details:
    "First reserve the payment (`POST /bills/{id}/payments` with the method `account`). `amount` is its `total`, with the tip. The payee is the restaurant's takings account in this currency. A payment is posted only once, with whatever tokens and keys. Errors before the step-up token is spent leave it unspent. `insufficient_funds`, and `payment_not_payable` after it was spent, are final. When the response is 201, the money has moved. The bill says `paid` at once, or as soon as the orders service can be reached.",
  body: object({
    payment_id: id().example(77),
    from_account_id: id().example(21),
    amount: amount().example('110.00'),
    currency,
  }),
  exampleNeeds: 'a reserved payment from an account',
  responses: { 201: { ...posted, body: postedBillPayment } },
  problems: [
    'account_not_found',
    'currency_mismatch',
    'not_found',
    'payment_not_payable',
    'amount_mismatch',
    'insufficient_funds',
  ],
});
export const refundBillPaymentToAccount = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/accounts/bill-refunds',
  name: 'refundBillPaymentToAccount',
  who: manager,
  account: 'required',
  stepUp: {
    key: 'bill_refund.create',
    details: { type: 'bill_refund', members: { payment_id: 'payment_id', amount: 'amount', currency: 'currency' } },
    required: true,
  },
  idempotencyKey: 'accepted',
  summary: "Refund a payment by account in full to the payer's account, with its tip",
  details: 'A payment is refunded only once, with whatever tokens and keys. You cannot refund your own payment.',
  body: object({ payment_id: id().example(77), amount: amount().example('110.00'), currency }),
  exampleNeeds: 'a payment from an account',
  responses: { 201: { ...posted, body: postedBillRefund } },
  problems: [
    'forbidden',
    'not_found',
    'currency_mismatch',
    'payment_not_payable',
    'amount_mismatch',
    'insufficient_funds',
  ],
});

export const transfers = [deposit, transferMoney, getTransfer, payBillFromAccount, refundBillPaymentToAccount];
