import { roles, endpoint, manager } from './endpoint.ts';
import { jwks } from './users.ts';
import {
  amount,
  id,
  line,
  list,
  money,
  named,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  text,
  time,
} from './schema.ts';
import type { Infer } from './schema.ts';

/** ISO 4217. Each has two places of minor units. */
export const currencies = ['BRL', 'USD', 'EUR'] as const;
export type Currency = (typeof currencies)[number];
const currency = oneOf(...currencies);

export const account = named(
  'Account',
  object({
    id: id(),
    name: nullable(text(100).example('Ana')),
    // Null: the house's own cash account in this currency, which managers see.
    owner_id: nullable(id()),
    balance: money().example('1000.00'),
    currency,
    created_at: time(),
  }),
);
export type Account = Infer<typeof account>;

export const entry = named(
  'Entry',
  object({
    id: id(),
    account_id: id(),
    transfer_id: id(),
    amount: money().example('-12.50'),
    balance: money().example('987.50'),
    currency,
    created_at: time(),
  }),
);
export type Entry = Infer<typeof entry>;

export const transfer = named(
  'Transfer',
  object({
    id: id(),
    from_account_id: id(),
    to_account_id: id(),
    amount: money().example('12.50'),
    currency,
    description: nullable(text(140).example('Lunch')),
    status: oneOf('posted'),
    receipt: text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl'),
    created_at: time(),
  }),
);
export type Transfer = Infer<typeof transfer>;

const accountId = { id: id() };
const posted = {
  about: 'The transfer: posted, once',
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
  summary: 'Open an account of your own',
  body: object({ name: optional(line(100).example('Ana')), currency: optional(currency) }),
  answers: { 201: { about: 'The new account, empty', body: account, headers: ['Location'] } },
  problems: [],
});
export const listAccounts = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts',
  name: 'listAccounts',
  who: roles,
  account: 'required',
  summary: "List your accounts; all, the house's cash included, for managers",
  query: { owner_id: optional(id()), ...pagesByNumber },
  answers: { 200: { about: 'One page, in the order of their ids', body: list(account), headers: ['Link'] } },
  problems: ['forbidden'],
});
export const getAccount = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/{id}',
  name: 'getAccount',
  who: roles,
  account: 'required',
  summary: 'Read one account',
  params: accountId,
  answers: { 200: { about: 'The account', body: account } },
  problems: ['not_found'],
});
export const listEntries = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/{id}/entries',
  name: 'listEntries',
  who: roles,
  account: 'required',
  summary: "Read an account's statement",
  params: accountId,
  query: pagesByNumber,
  answers: {
    200: { about: 'One page, newest first, each with the balance after it', body: list(entry), headers: ['Link'] },
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
  stepUp: 'account_deposit.create',
  idempotencyKey: 'taken',
  summary: "Deposit cash: a transfer from the house's cash account in that currency",
  params: accountId,
  body: object({ amount: amount() }),
  answers: { 201: posted },
  problems: ['account_not_found'],
});
export const transferMoney = endpoint({
  service: 'transfers',
  method: 'POST',
  path: '/accounts/internal-transfers',
  name: 'transferMoney',
  who: roles,
  account: 'required',
  stepUp: 'internal_transfer.create',
  idempotencyKey: 'taken',
  summary: 'Transfer money from an account of yours to any other account',
  details:
    'A refusal before `insufficient_funds` leaves the step-up token unspent. With an `Idempotency-Key` the answer is final and is given again; without one the token is spent by the call, whatever becomes of its answer.',
  body: object({
    from_account_id: id(),
    to_account_id: id(),
    amount: amount(),
    currency: optional(currency),
    description: optional(line(140).example('Lunch')),
  }),
  answers: { 201: posted },
  problems: ['account_not_found', 'same_account', 'currency_mismatch', 'insufficient_funds'],
});
export const getTransfer = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/accounts/internal-transfers/{id}',
  name: 'getTransfer',
  who: roles,
  account: 'required',
  summary: 'Read one transfer or deposit, as one of its parties or a manager',
  params: { id: id() },
  answers: { 200: { about: 'The transfer', body: transfer } },
  problems: ['not_found'],
});

export const transfers = [openAccount, listAccounts, getAccount, listEntries, deposit, transferMoney, getTransfer];

/** Between services: the keys that sign receipts and checkpoints, to stand in the key set of the house. */
export const receiptKeys = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/internal/receipt-keys',
  name: 'receiptKeys',
  who: 'anyone',
  summary: 'The public keys of receipts [RFC 7517]',
  answers: { 200: { about: 'All that ever signed: a receipt is good for ever', body: jwks } },
  problems: [],
});
