import type { Who } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { Order } from '@comanda/contracts/orders';
import type { Account, Entry, Transfer } from '@comanda/contracts/transfers';
import { minutesAgo, quietAnswers } from '@comanda/testing/stand/data';
import { fails, never, type Reply, type State } from '@comanda/testing/stand/state';

const guest: Who = { userId: 7, role: 'customer', name: 'Guest', table: '12', seating: 88, isGuest: true };
const lia: Who = { userId: 5, role: 'customer', name: 'Lia' };
const currency = 'BRL';

type More = Partial<State> & { orders?: readonly Order[]; bills?: readonly Bill[] };
/** A phone whose guest sits at table 12. */
export const seated = ({ orders = [], bills = [], answers, ...more }: More = {}): State => ({
  who: guest,
  ...more,
  answers: { ...quietAnswers, me: never, listOrders: [...orders], listBills: [...bills], ...answers },
});

const newAccount = (differs: Partial<Account> = {}): Account => ({
  id: 21,
  name: 'Conta',
  owner_id: lia.userId,
  owner_name: lia.name,
  purpose: 'personal',
  balance: '100.00',
  currency,
  created_at: minutesAgo(600),
  ...differs,
});
export const newTransfer = (differs: Partial<Transfer> = {}): Transfer => ({
  id: 310,
  from_account_id: 21,
  to_account_id: 22,
  amount: '12.50',
  currency,
  description: 'Split of the dinner',
  kind: 'internal_transfer',
  payment_id: null,
  status: 'posted',
  receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl',
  created_at: minutesAgo(1),
  ...differs,
});
/** The money that was paid in. */
export const deposit = newTransfer({
  id: 309,
  from_account_id: 1,
  to_account_id: 21,
  amount: '100.00',
  description: null,
  kind: 'account_deposit',
});
const depositEntry: Entry = {
  id: 619,
  account_id: 21,
  transfer_id: 309,
  kind: 'account_deposit',
  payment_id: null,
  amount: '100.00',
  balance: '100.00',
  currency,
  counterparty: { account_id: 1, owner_name: null },
  description: null,
  created_at: minutesAgo(60),
};

type AccountMore = Partial<State> & { account?: Partial<Account> };
/** Lia has just signed in: she has 100.00 and a PIN. */
export const signedIn = ({ account, answers, device, ...more }: AccountMore = {}): State => ({
  who: lia,
  ...more,
  device: { 'comanda.account-activity': JSON.stringify({ userId: lia.userId, at: Date.now() }), ...device },
  answers: {
    ...quietAnswers,
    me: never,
    listAccounts: [newAccount(account)],
    listEntries: [{ ...depositEntry, ...(account?.balance !== undefined && { balance: account.balance }) }],
    transactionPassword: { status: 'usable', created_at: minutesAgo(600), attempts_remaining: 3 },
    getTransfer: deposit,
    ...answers,
  },
});

/** A transfer that asks for the PIN, and then gets this. */
export const afterPin = (...replies: Exclude<Reply<'transferMoney'>, { turns: readonly unknown[] }>[]) => ({
  getPayee: { account_id: 22, owner_name: 'Rui', currency: 'BRL' } as const,
  transferMoney: { turns: [fails('step_up_required'), ...replies] },
  stepUp: { step_up_token: 'token', token_type: 'step-up', endpoint_key: 'transfer', expires_in: 60 } as const,
});
