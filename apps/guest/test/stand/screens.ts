import { dishNamed, menu, minutesAgo, newBill, newDish, newOrder, restaurant } from '@comanda/testing/stand/data';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { pin } from '@comanda/testing/step-up-calls';
import type { Page } from 'playwright-core';
import { enterPin } from '../support/customer.ts';
import {
  afterPaymentPin,
  afterPin,
  basketOf,
  deposit,
  guest,
  newAccount,
  newCall,
  newPayment,
  newTransfer,
  paying,
  seated,
  securityPage,
  signedIn,
  unsentOrder,
  wrongPinWith,
} from './states.ts';

/**
 * A screen to check: its state, its address and the guest's steps there. The steps use no text, so they work in both languages.
 */
export type ShownScreen = {
  state: State;
  path?: string;
  open?: (page: Page) => Promise<void>;
  /** A selector for an element that appears once the screen is ready. */
  ready: string;
};
type Screens = Readonly<Record<string, ShownScreen>>;

const click = async (page: Page, ...selectors: readonly string[]): Promise<void> => {
  for (const selector of selectors) await page.locator(selector).first().click();
};
const type = (page: Page, selector: string, text: string): Promise<void> => page.locator(selector).first().fill(text);
const send = '.dock .button-primary';
const typePin = (page: Page): Promise<void> => enterPin(page.locator('.pin-pad'), pin);

const orders = [
  newOrder({
    items: [
      'Feijoada',
      { dish: dishNamed('Chope claro 300 ml'), status: 'ready', quantity: 2 },
      { dish: dishNamed('Caipirinha'), status: 'preparing', remarks: 'Sem açúcar, com pouco gelo.' },
    ],
    allergies: 'amendoim',
    seen_at: minutesAgo(1),
  }),
  newOrder({ id: 1041, items: ['Pudim de leite'], placed_by: { id: 8, name: 'Table 12' }, allowed_transitions: [] }),
];
const table = seated({ orders, bills: [newBill(orders)] });
/** Returns the state of a phone at the table, with these replies to calls. */
const replying = (answers: State['answers']): State => ({ ...table, answers: { ...table.answers, ...answers } });
const choosing = seated({ device: basketOf(['Moqueca de peixe', 'Pão de queijo'], { remarks: 'Sem coentro.' }) });
/** A restaurant with the longest name, a logo and a colour. */
export const ownLook = {
  ...restaurant,
  name: 'Cantina da Dona Maria Aparecida do Espírito Santo de Vitória',
  logo: '/dishes/feijoada.svg',
  accent: '#166534',
};
const moqueca = `#/dish/${dishNamed('Moqueca de peixe').id}`;

const unsent = (state: 'late' | 'refused' | 'held'): Pick<ShownScreen, 'state'> => ({
  state: seated({ device: unsentOrder(state), answers: { placeOrder: never } }),
});

export const guestScreens: Screens = {
  'the menu': { state: { ...table, device: basketOf(['Feijoada']) }, ready: '.progress-link' },
  "a restaurant's own look": {
    state: { ...replying({ getRestaurant: ownLook }), device: basketOf(['Feijoada']) },
    ready: '.restaurant-line img',
  },
  'a dish that was just added': { state: table, open: (page) => click(page, '.dish-add'), ready: '.dish-add-open' },
  'the language and the account': {
    state: table,
    open: (page) => click(page, '.top-tools > .icon-button'),
    ready: '.more-sheet',
  },
  'the menu with calls': {
    state: replying({
      listCalls: [
        newCall({ created_at: minutesAgo(3) }),
        newCall({ id: 52, kind: 'waiter', method: null, status: 'taken' }),
      ],
    }),
    ready: '.call-bar-taken',
  },
  'the orders with a call': {
    state: replying({ listCalls: [newCall({ kind: 'other', method: null, note: 'Gelo' })] }),
    path: '#/orders',
    ready: '.call-bar-open',
  },
  'the menu without a table': { state: { ...table, who: null }, ready: '.scan-notice' },
  'a dish without listed allergens': {
    state: {
      ...replying({ listMenu: [newDish({ name: 'Tapioca', position: -1 }), ...menu] }),
      device: { 'comanda.avoided': 'gluten' },
    },
    ready: '.tag-few',
  },
  'the allergen filter': {
    state: table,
    open: (page) => click(page, '.filter-button', '.allergen-chips .chip'),
    ready: '.allergen-chips .chip[aria-pressed=true]',
  },
  'a search without a result': {
    state: table,
    open: async (page) => {
      await click(page, '.chips .icon-button');
      await type(page, '[type=search]', 'sushi');
    },
    ready: '.empty',
  },
  'a dish that the guest cannot eat': {
    state: table,
    path: moqueca,
    open: (page) => type(page, '.dish-main textarea >> nth=1', 'peixe, fish'),
    ready: '.dish-dock .clash',
  },
  'the order before it is sent': { state: choosing, path: '#/review', ready: '.line' },
  'an order that is not sent': { ...unsent('late'), path: '#/orders', ready: '.unsent-order-late' },
  'an order that the kitchen has rejected': { ...unsent('refused'), path: '#/orders', ready: '.error-panel' },
  'an order that the guest has stopped': { ...unsent('held'), path: '#/orders', ready: '.notice-warning' },
  'the menu beside an order that is not sent': { ...unsent('late'), ready: '.progress-link-warning' },
  'the orders': { state: table, path: '#/orders', ready: '.progress-ready' },
  'the bill': { state: table, path: '#/bill', ready: '.bill' },
  'equal shares of the bill': {
    state: table,
    path: '#/pay',
    open: (page) => click(page, '.pay-ways button >> nth=1', '.choose-tip .chip >> nth=1'),
    ready: '.pay-total',
  },
  'the amount for the waiter': {
    state: replying({ listCalls: [newCall({ amount: newBill(orders).remaining })] }),
    path: '#/pay',
    open: (page) => click(page, '.pay-ways button'),
    ready: '.pay-waiter [aria-pressed=true]',
  },
  'how to ask for the bill': {
    state: table,
    open: (page) => click(page, '.top-tools button', '.call-row >> nth=1'),
    ready: '.call-choices',
  },
  'how to ask for something else': {
    state: table,
    open: (page) => click(page, '.top-tools button', '.call-row >> nth=2'),
    ready: '.call-note',
  },
  'a call that waits': {
    state: replying({ listCalls: [newCall()] }),
    open: (page) => click(page, '.call-waiting'),
    ready: '.call-state',
  },
  'the sign-in': { state: seated(), path: '#/account', ready: 'input[type=password]' },
};

const lateAnswer = { payBillFromAccount: unreachable, getBillPayment: newPayment() };
const sent = { payment: newPayment(), payKey: 'pay', isSent: true };
/** Returns the screen after the PIN for a payment was entered. The server sends these replies to the payment. */
const afterPadWith = (...replies: Parameters<typeof afterPaymentPin>): ShownScreen => ({
  state: paying({ answers: afterPaymentPin(...replies) }),
  path: '#/pay/pin',
  open: typePin,
  ready: 'main',
});
const atPin = (state: State, ready: string): ShownScreen => ({ state, path: '#/pay/pin', ready });

export const paymentScreens: Screens = {
  'the sign-in of a payment': atPin(paying({ who: guest, saved: { payerId: null } }), 'input[type=password]'),
  'a payment without a PIN': atPin(paying({ answers: { transactionPassword: { status: 'absent' } } }), send),
  'a payment without an account': atPin(paying({ answers: { listAccounts: [] } }), send),
  'a payment without enough money': atPin(
    paying({ answers: { listAccounts: [newAccount({ balance: '1.00' })] } }),
    send,
  ),
  'the choice of an account': atPin(
    paying({ answers: { listAccounts: [newAccount(), newAccount({ id: 22, name: 'Viagem' })] } }),
    '.pay-ways',
  ),
  'a payment whose amount has changed': atPin(
    paying({ answers: { payBill: fails('bill_changed', { members: { amount: '38.20' } }) } }),
    '.pin-payment-amounts',
  ),
  'a payment with a blocked PIN': atPin(
    paying({ answers: { transactionPassword: { status: 'blocked', blocked_until: minutesAgo(-30) } } }),
    '.countdown-bar',
  ),
  'a payment that could not be reserved': atPin(paying({ answers: { payBill: unreachable } }), '.error-panel'),
  'the PIN pad of a payment': atPin(paying(), '.pin-pad'),
  'a wrong PIN': {
    ...afterPadWith(never),
    state: paying({ answers: { ...afterPaymentPin(never), stepUp: wrongPinWith(2) } }),
    ready: '.pad-error',
  },
  'a payment on its way': { ...afterPadWith(never), ready: '.pin-payment-busy' },
  'a payment without an answer': atPin(
    paying({ saved: sent, answers: { ...lateAnswer, getBillPayment: unreachable } }),
    '.pin-payment-wait',
  ),
  'the bill while a payment has no answer': {
    ...atPin(paying({ saved: sent, answers: { ...lateAnswer, getBillPayment: unreachable } }), '.notice-warning'),
    path: '#/bill',
  },
  'a payment that is being confirmed': atPin(
    paying({ saved: sent, answers: { ...lateAnswer, getBillPayment: newPayment({ status: 'claimed' }) } }),
    '.pin-payment-wait',
  ),
  'a PIN that did not arrive': atPin(
    paying({ saved: sent, answers: { ...lateAnswer, payBillFromAccount: fails('step_up_required') } }),
    '.pad-error',
  ),
  'a payment that was refused': { ...afterPadWith(fails('insufficient_funds')), ready: '[role=alert]' },
  'a payment that is paid': {
    ...afterPadWith(newTransfer({ kind: 'bill_payment', amount: '68.20', payment_id: 77 })),
    ready: '.receipt',
  },
};

const pending = signedIn({ answers: afterPin(unreachable) });
const review = async (page: Page): Promise<void> => {
  await type(page, '[name=to]', '22');
  await type(page, '[name=amount]', '12.50');
  await click(page, '.transfer-form [type=submit]');
  await page.locator('.pin-pad').waitFor();
};
const transferred = async (page: Page): Promise<void> => {
  await review(page);
  await typePin(page);
  await click(page, send);
};

export const accountScreens: Screens = {
  'the account': { state: signedIn(), path: '#/account', ready: '.entry-amount' },
  'the account with hidden amounts': {
    state: signedIn({ device: { 'comanda.hide-amounts': 'yes' } }),
    path: '#/account',
    ready: '.balance .icon-button[aria-pressed=true]',
  },
  'a customer without an account': {
    state: signedIn({ answers: { listAccounts: [] } }),
    path: '#/account',
    ready: '.empty',
  },
  'faults of a transfer': {
    state: signedIn(),
    path: '#/account/transfer',
    open: (page) => click(page, '.transfer-form [type=submit]'),
    ready: '.field-error',
  },
  'a transfer without a PIN': {
    state: signedIn({ answers: { transactionPassword: { status: 'absent' } } }),
    path: '#/account/transfer',
    ready: '.account-symbol',
  },
  'a wrong PIN of a transfer': {
    state: signedIn({ answers: { ...afterPin(never), stepUp: wrongPinWith(2) } }),
    path: '#/account/transfer',
    open: transferred,
    ready: '.pad-error',
  },
  'a transfer without an answer': {
    state: pending,
    path: '#/account/transfer',
    open: transferred,
    ready: '.asking',
  },
  'the account while a transfer has no answer': {
    state: pending,
    path: '#/account/transfer',
    open: async (page) => {
      await transferred(page);
      await click(page, '.asking .button >> nth=1');
    },
    ready: '.notice-warning',
  },
  'a transfer that was not sent': {
    state: signedIn({ answers: afterPin(unreachable, fails('step_up_required')) }),
    path: '#/account/transfer',
    open: transferred,
    ready: '.notice-warning',
  },
  'a receipt': { state: signedIn(), path: `#/account/receipt/${deposit.id}`, ready: '.receipt' },
  'PIN and security': { state: securityPage(), path: '#/account/security', ready: '.event' },
  'the reset of a PIN': {
    state: securityPage(),
    path: '#/account/security',
    open: (page) => click(page, '.security-part .account-links .button >> nth=1'),
    ready: '.reset-who',
  },
  'a new PIN': {
    state: signedIn({ answers: { transactionPassword: { status: 'absent' } } }),
    path: '#/account/pin',
    ready: '.pin-pad',
  },
  'a blocked PIN': {
    state: signedIn({ answers: { transactionPassword: { status: 'blocked', blocked_until: minutesAgo(-30) } } }),
    path: '#/account/transfer',
    ready: '.countdown-bar',
  },
  'the locked account': {
    state: signedIn({ device: { 'comanda.account-activity': 'null' } }),
    path: '#/account',
    ready: 'input[type=password]',
  },
};
