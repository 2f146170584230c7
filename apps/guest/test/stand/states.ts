import type { Who } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { TableCall } from '@comanda/contracts/calls';
import type { Order } from '@comanda/contracts/order';
import type { Account, Entry } from '@comanda/contracts/accounts';
import type { PixCharge } from '@comanda/contracts/pix';
import type { Transfer } from '@comanda/contracts/transfers';
import { dishNamed, minutesAgo, newBill, newOrder, quietAnswers } from '@comanda/testing/stand/data';
import { fails, never, type Reply, type State } from '@comanda/testing/stand/state';

export const guest: Who = { userId: 7, role: 'customer', name: 'Guest', table: '12', seating: 88, isGuest: true };
const lia: Who = { userId: 5, role: 'customer', name: 'Lia' };
/** Lia, signed in and seated at table 12. */
export const customer: Who = { ...lia, table: '12', seating: 88, isGuest: false };
const currency = 'BRL';
/** The code of a bank's charge, as long as most are. */
const pixCode =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5914CANTINA DA ANA6009SAO PAULO62070503***6304FB29';

type More = Partial<State> & { orders?: readonly Order[]; bills?: readonly Bill[] };
/** Returns the state of a guest's phone at table 12. */
export const seated = ({ orders = [], bills = [], answers, ...more }: More = {}): State => ({
  who: guest,
  ...more,
  answers: {
    ...quietAnswers,
    me: never,
    listOrders: [...orders],
    listBills: [...bills],
    ...(bills[0] && { getBill: bills[0] }),
    ...answers,
  },
});

/** Returns the data on the device of a guest at table 12 who has selected one portion of each dish. */
export const basketOf = (dishes: readonly string[], more: { allergies?: string; remarks?: string } = {}) => {
  const lines = dishes.map((name, index) => {
    const { id: dishId, price: seenPrice } = dishNamed(name);
    return { id: index + 1, dishId, name, quantity: 1, remarks: more.remarks ?? '', seenPrice };
  });
  const basket = { lines, allergies: more.allergies ?? null, of: '12/seating 88', savedAt: Date.now() };
  return { 'comanda.basket': JSON.stringify(basket) };
};
/**
 * Returns the data on the device of a guest with an unsent order: still being sent (`late`), rejected, or stopped. The latter two
 * are back in the basket.
 */
export const unsentOrder = (state: 'late' | 'refused' | 'held') => {
  const device = basketOf(['Moqueca de peixe', 'Pão de queijo'], { remarks: 'Sem coentro.', allergies: 'amendoim' });
  const { lines, allergies } = JSON.parse(device['comanda.basket']) as {
    lines: { dishId: number }[];
    allergies: string;
  };
  const order = { items: lines.map(({ dishId }) => ({ item_id: dishId, quantity: 1 })), allergies };
  const [typed, now] = [state === 'late' ? { lines, allergies, order } : null, Date.now()];
  const sent = { userId: 7, table: '12', seating: 88, sum: '88.00', at: now, triedAt: now, tappedAt: now, before: [] };
  const failure = { code: 'too_many_open_items', outcome: 'none', problem: { request_id: 'stand-request' } };
  const entry = { key: 'k', kind: 'order', state, attempts: 1, input: { ...sent, typed, dishes: '', print: 0 } };
  const unsent = JSON.stringify([state === 'refused' ? { ...entry, failure } : entry]);
  return { 'comanda.unsent': unsent, ...(state !== 'late' && device) };
};
export const newCall = (differs: Partial<TableCall> = {}): TableCall => ({
  id: 51,
  kind: 'bill',
  note: null,
  method: 'card',
  amount: null,
  table: '12',
  seating: 88,
  status: 'open',
  version: 1,
  placed_by: { id: 7, role: 'customer' },
  taken_by: null,
  created_at: minutesAgo(1),
  taken_at: null,
  done_at: null,
  ...differs,
});

export const newAccount = (differs: Partial<Account> = {}): Account => ({
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
/** The transfer for Lia's cash deposit. */
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
/** Returns the state of Lia's phone just after her sign-in. She has R$ 100.00 and a PIN. */
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
/** Returns the state of Lia's phone on the page “PIN and security”. */
export const securityPage = (): State =>
  signedIn({
    answers: {
      listSessions: ['this', 'other'].map((id, index) => ({
        id: `${id}-session-of-lia-22`,
        is_current: index === 0,
        user_agent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/156.0 Mobile Safari/537.36',
        address: '203.0.113.7',
        created_at: minutesAgo(600),
        last_used_at: minutesAgo(1),
        ends_at: minutesAgo(-40_000),
      })),
      securityEvents: ['signed_in', 'sign_in_failed', 'step_up_spent'].map((type, index) => ({
        type,
        time: minutesAgo(index),
        address: '203.0.113.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0',
      })),
    },
  });

/** The server requires the PIN for a transfer, then sends these replies. */
export const afterPin = (...replies: Exclude<Reply<'transferMoney'>, { turns: readonly unknown[] }>[]) => ({
  getPayee: { account_id: 22, owner_name: 'Rui', currency: 'BRL' } as const,
  transferMoney: { turns: [fails('step_up_required'), ...replies] },
  stepUp: { step_up_token: 'token', token_type: 'step-up', endpoint_key: 'transfer', expires_in: 60 } as const,
});

/** Creates Lia's payment for the whole bill of the state `paying`. */
export const newPayment = (differs: Partial<BillPayment> = {}): BillPayment => ({
  id: 77,
  bill_id: 312,
  method: 'account',
  status: 'reserved',
  part: { rest: true },
  amount: '68.20',
  tip: '0.00',
  total: '68.20',
  received: null,
  change: null,
  reference: null,
  payer: { id: lia.userId, name: lia.name },
  transfer_id: null,
  expires_at: minutesAgo(-5),
  recorded_by: { id: lia.userId, role: 'customer' },
  created_at: minutesAgo(0),
  settled_at: null,
  refund: null,
  ...differs,
});
/** Creates this guest's payment by Pix for their part of the bill. */
export const newPix = (differs: Partial<BillPayment> = {}): BillPayment =>
  newPayment({
    method: 'pix',
    payer: { id: guest.userId, name: 'Table 12' },
    recorded_by: { id: guest.userId, role: 'customer' },
    expires_at: minutesAgo(-10),
    pix: { confirmed_by: null, end_to_end_id: null },
    ...differs,
  });
export const newPixCharge = (differs: Partial<PixCharge> = {}): PixCharge => ({
  payment_id: 77,
  txid: '7d9f0335d6c64f3b8f3b0c2a1e4d5f60',
  code: pixCode,
  amount: '68.20',
  mode: 'bank',
  expires_at: minutesAgo(-10),
  ...differs,
});

type Paying = More & {
  /** The payment's data on the device. By default, nothing is reserved yet. */
  saved?: { payerId?: null; payment?: BillPayment; payKey?: string; isSent?: boolean };
};
const feijoada = [newOrder({ items: ['Feijoada'] })];
/**
 * Returns the state of Lia's phone while she pays her table's whole bill of R$ 68.20 from her account. Show it at `#/pay/pin`.
 */
export const paying = ({ saved, answers, device, ...more }: Paying = {}): State => {
  const plan = { billId: 312, table: '12', currency, part: { rest: true }, amount: '68.20', tip: null };
  const payment = {
    plan,
    payerId: lia.userId,
    reserveKey: 'reserve',
    accountId: saved?.payment ? 21 : null,
    payment: null,
    payKey: null,
    isSent: false,
    at: Date.now(),
    ...saved,
  };
  return seated({
    who: customer,
    orders: feijoada,
    bills: [newBill(feijoada)],
    ...more,
    device: { 'comanda.bill-payment': JSON.stringify(payment), ...device },
    answers: {
      transactionPassword: { status: 'usable', created_at: minutesAgo(600), attempts_remaining: 3 },
      listAccounts: [newAccount()],
      payBill: newPayment(),
      getBillPayment: newPayment(),
      cancelBillPayment: newPayment({ status: 'cancelled' }),
      ...answers,
    },
  });
};
/** The server requires Lia's PIN for the payment, then sends these replies. */
export const afterPaymentPin = (
  ...replies: Exclude<Reply<'payBillFromAccount'>, { turns: readonly unknown[] }>[]
): State['answers'] => ({
  payBillFromAccount: { turns: [fails('step_up_required'), ...replies] },
  stepUp: {
    step_up_token: 'token',
    token_type: 'step-up',
    endpoint_key: 'bill.pay',
    expires_in: 60,
  },
});
export const wrongPinWith = (attemptsRemaining: number) =>
  fails('transaction_password_invalid', { members: { attempts_remaining: attemptsRemaining } });
