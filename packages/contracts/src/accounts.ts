import { endpoint, roles } from './endpoint.ts';
import { currencies } from './money.ts';
import {
  component,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  text,
  time,
  type Infer,
} from './schema.ts';

export const currency = oneOf(...currencies);

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
    // The owner's id and name are null for the restaurant's own accounts, cash and takings, which only managers can see.
    owner_id: nullable(id().example(5)),
    owner_name: nullable(text(255).example('Ana')),
    /** The kind of use that the account has. Absent in responses from earlier releases. */
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
    /**
     * The bill payment that was paid or refunded, in entries of the kinds `bill_payment` and `bill_refund`; null in other
     * entries.
     */
    payment_id: optional(nullable(id())).example(null),
    amount: money().example('-12.50'),
    balance: money().example('987.50'),
    currency,
    counterparty: component(
      'Counterparty',
      object({
        account_id: id().example(22),
        // The name of the other account's owner; null for the restaurant's own accounts.
        owner_name: nullable(text(255).example('Rui')),
      }),
    ),
    description: nullable(text(140).example('Lunch')),
    created_at: time(),
  }),
);
export type Entry = Infer<typeof entry>;

export const accountId = { id: id().example(21) };
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
  exampleNeeds: 'an account',
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
  exampleNeeds: 'an account',
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
  exampleNeeds: 'an account',
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

export const accounts = [openAccount, listAccounts, getAccount, getPayee, listEntries];
