import { endpoint, manager, roles } from './endpoint.ts';
import {
  amount,
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
  text,
  time,
  type Infer,
} from './schema.ts';
import { jwks } from './users.ts';

/** ISO 4217 codes. Each currency has two decimal places. */
export const currencies = ['BRL', 'USD', 'EUR'] as const;
export type Currency = (typeof currencies)[number];
const currency = oneOf(...currencies);

/**
 * An account's purpose. `cash` and `takings` are the restaurant's own accounts: deposits come from cash, and bill payments go to
 * takings.
 */
export const accountPurposes = ['personal', 'cash', 'takings'] as const;
export type AccountPurpose = (typeof accountPurposes)[number];
export const transferKinds = ['internal_transfer', 'account_deposit', 'bill_payment', 'bill_refund'] as const;
export type TransferKind = (typeof transferKinds)[number];

export const account = component(
  'Account',
  object({
    id: id().example(21),
    name: nullable(text(100).example('Ana')),
    // Both are null for the restaurant's own accounts, cash and takings, which only managers can see.
    owner_id: nullable(id().example(5)),
    owner_name: nullable(text(255).example('Ana')),
    /** The account's purpose. Absent in responses from earlier releases. */
    purpose: optional(oneOf(...accountPurposes).example('personal')),
    balance: money().example('1000.00'),
    currency,
    created_at: time(),
  }),
);
export type Account = Infer<typeof account>;

export const entry = component(
  'Entry',
  object({
    id: id().example(620),
    account_id: id().example(21),
    transfer_id: id().example(310),
    kind: oneOf(...transferKinds),
    /** The bill payment that the entry belongs to, for the kinds `bill_payment` and `bill_refund`. */
    payment_id: optional(nullable(id())).example(null),
    amount: money().example('-12.50'),
    balance: money().example('987.50'),
    currency,
    counterparty: component(
      'Counterparty',
      object({
        account_id: id().example(22),
        // The other account's owner; null for the restaurant's own accounts.
        owner_name: nullable(text(255).example('Rui')),
      }),
    ),
    description: nullable(text(140).example('Lunch')),
    created_at: time(),
  }),
);
export type Entry = Infer<typeof entry>;

export const transfer = component(
  'Transfer',
  object({
    id: id().example(310),
    from_account_id: id().example(21),
    to_account_id: id().example(22),
    amount: money().example('12.50'),
    currency,
    description: nullable(text(140).example('Lunch')),
    /** The transfer's kind. Absent in events from earlier releases, like `payment_id`. */
    kind: optional(oneOf(...transferKinds)),
    payment_id: optional(nullable(id())).example(null),
    status: oneOf('posted'),
    receipt: text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl'),
    created_at: time(),
  }),
);
export type Transfer = Infer<typeof transfer>;

const accountId = { id: id().example(21) };
const newAccount = account.example({
  id: 21,
  name: 'Ana',
  owner_id: 5,
  owner_name: 'Ana',
  purpose: 'personal',
  balance: '0.00',
  currency: 'BRL',
  created_at: '2026-11-20T21:00:00.000Z',
});
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

export const openAccount = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/accounts',
  name: 'openAccount',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  idempotencyKey: 'accepted',
  summary: 'Open an account for yourself',
  body: object({ name: optional(line(100).example('Ana')), currency: optional(currency) }),
  responses: {
    201: {
      about: 'The new account; its balance is zero',
      body: newAccount,
      headers: ['Location', 'Idempotent-Replayed'],
    },
  },
  problems: ['too_many_accounts'],
});
export const listAccounts = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts',
  name: 'listAccounts',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: "List your accounts; managers see all, including the restaurant's cash accounts",
  query: { owner_id: optional(id()), ...pagesByNumber },
  responses: { 200: { about: 'One page, ordered by id', body: list(account), headers: ['Link'] } },
  problems: ['forbidden'],
});
export const getAccount = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/{id}',
  name: 'getAccount',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: 'Get one account',
  params: accountId,
  responses: { 200: { about: 'The account', body: account } },
  problems: ['not_found'],
});
const payee = component(
  'Payee',
  object({
    account_id: id().example(22),
    owner_name: text(255).example('Rui'),
    currency,
  }),
);
export type Payee = Infer<typeof payee>;
export const getPayee = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/{id}/payee',
  name: 'getPayee',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  limit: 'step_up',
  summary: 'Get the owner of an account, to show before the PIN for a transfer is entered',
  details:
    "For any person's account; the restaurant's accounts are `not_found`. It shares the rate limit of PIN checks, so that no user can collect everyone's names.",
  params: { id: id().example(22) },
  responses: { 200: { about: 'The owner of the account', body: payee } },
  problems: ['not_found'],
});
export const listEntries = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/{id}/entries',
  name: 'listEntries',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: 'List the entries of an account',
  params: accountId,
  query: pagesByNumber,
  responses: {
    200: {
      about:
        'One page, newest first; each entry has the balance after it, and the account that the money went to or came from',
      body: list(entry),
      headers: ['Link'],
    },
  },
  problems: ['not_found'],
});
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
    // The restaurant is the payee, so the details need none.
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

export const transfers = [
  openAccount,
  listAccounts,
  getAccount,
  getPayee,
  listEntries,
  deposit,
  transferMoney,
  getTransfer,
  payBillFromAccount,
  refundBillPaymentToAccount,
];

/** Services call this to fetch the public keys for receipts and checkpoints. auth-stepup publishes them in its JWKS. */
export const receiptKeys = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/internal/receipt-keys',
  name: 'receiptKeys',
  who: 'anyone',
  callers: ['auth-stepup'],
  summary: 'Get the public keys of receipts [RFC 7517]',
  responses: { 200: { about: 'All keys that have ever signed: receipts stay valid for ever', body: jwks } },
  problems: [],
});
