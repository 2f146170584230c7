import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { fails } from '@comanda/testing/stand/state';
import type { ShownScreen } from './screens.ts';
import { newPayment, newPix, newPixCharge, seated } from './states.ts';

const orders = [
  newOrder({ id: 1042, items: ['Feijoada', 'Caipirinha'] }),
  newOrder({ id: 1043, items: ['Pudim de leite'], placed_by: { id: 8, name: 'Table 12' } }),
];
const charge = newPixCharge();
const pixAnswers = { getPix: { mode: 'bank' }, payBill: newPix(), createPixCharge: charge } as const;
type Payments = Parameters<typeof newBill>[1];
/** Returns the screen of a phone at a table that pays by Pix, with these payments on the bill. */
const withPix = (
  payments: NonNullable<Payments>['payments'],
  answers: Partial<Record<'createPixCharge' | 'payBill', unknown>> = {},
) =>
  seated({
    orders,
    bills: [newBill(orders, { payments: payments ?? [], reserved: '0.00' })],
    answers: { ...pixAnswers, ...(answers as typeof pixAnswers) },
  });
const at = (state: ShownScreen['state'], ready: string, path = '#/pay/pix/77'): ShownScreen => ({ state, ready, path });
const part = { shares: 1, of: 3 };
const paid = newPix({
  status: 'paid',
  part,
  tip: '6.82',
  total: '75.02',
  settled_at: minutesAgo(0),
  pix: { confirmed_by: 'bank', end_to_end_id: null },
});

export const pixScreens: Readonly<Record<string, ShownScreen>> = {
  'the ways to pay with Pix': { state: withPix([]), path: '#/pay', ready: '.pay-dock .button-primary' },
  'a Pix code': at(withPix([newPix({ part, tip: '6.82', total: '75.02' })]), '.pix-scan'),
  'a Pix code that was copied': {
    ...at(withPix([newPix({ part })]), '.pix-copied:not(:empty)'),
    open: (page) => page.locator('.dock .button-primary').click(),
  },
  'a Pix code that staff confirm': at(
    withPix([newPix({ part })], { createPixCharge: { ...charge, mode: 'staff' } }),
    '.pix-scan',
  ),
  'a Pix code of another guest': at(withPix([newPix({ part, payer: { id: 8, name: 'Table 12' } })]), '.pix-scan'),
  'a bank that is down': at(
    withPix([newPix()], { createPixCharge: fails('service_unavailable', { retryAfterMs: 10 }) }),
    '.pix-title',
  ),
  'an expired Pix code': at(withPix([newPix({ status: 'expired' })]), '.notice-info'),
  'a paid Pix': at(withPix([paid]), '.receipt'),
  'the ways to pay while a Pix is under way': {
    state: withPix([newPix({ part })]),
    path: '#/pay',
    ready: '.pay-under-way',
  },
  'the question before a Pix is cancelled': {
    ...at(withPix([newPix({ part })]), 'dialog[open]'),
    open: (page) => page.locator('.pix-other').click(),
  },
  'the bill with payments': {
    state: withPix([
      paid,
      newPix({ id: 78, part, payer: { id: 8, name: 'Table 12' } }),
      newPayment({ id: 79, method: 'card', status: 'paid', payer: null, part: { amount: '10.00' } }),
    ]),
    path: '#/bill',
    ready: '.payment-list-row',
  },
};
