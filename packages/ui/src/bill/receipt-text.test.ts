import { afterAll, expect, test } from '@jest/globals';
import { newBill, newOrder } from '@comanda/testing/stand/data';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { chooseLanguage, language } from '../language.ts';
import { receiptText } from './receipt-text.ts';

// Node has no storage, so only a language that was read before can be changed.
const before = language.peek();
afterAll(() => chooseLanguage(before));

const at = '2026-11-20T20:00:00.000Z';
const payment: BillPayment = {
  id: 77,
  bill_id: 312,
  method: 'cash',
  status: 'paid',
  part: { rest: true },
  amount: '68.20',
  tip: '5.00',
  total: '73.20',
  received: null,
  change: null,
  reference: null,
  payer: null,
  transfer_id: null,
  expires_at: null,
  recorded_by: { id: 2, role: 'waiter' },
  created_at: at,
  settled_at: at,
  refund: null,
};
const bill = newBill([newOrder({ items: ['Feijoada'] })], {
  number: 87,
  status: 'closed',
  closed_at: at,
  discounts: [{ id: 1, line_id: null, percent: null, amount: '6.20', label: null }],
  paid: '68.20',
  remaining: '0.00',
  tips: '5.00',
  payments: [
    payment,
    { ...payment, id: 78, method: 'card', status: 'refunded', refund: { at, method: 'card', by: null } },
    { ...payment, id: 79, status: 'cancelled' },
  ],
});
/** Returns the receipt's lines with ordinary blanks, which are easier to compare. */
const linesOf = (text: string): string[] => text.replaceAll('\u00a0', ' ').split('\n');

test('a receipt says of a Pix that staff have confirmed it, until the bank does', () => {
  chooseLanguage('en');
  const pix = (confirmedBy: 'bank' | 'staff'): BillPayment => ({
    ...payment,
    method: 'pix',
    pix: { confirmed_by: confirmedBy, end_to_end_id: null },
  });
  const text = receiptText({ ...bill, payments: [pix('staff'), pix('bank')] }, '');
  expect(linesOf(text).filter((each) => each.startsWith('Pix'))).toEqual([
    expect.stringMatching(/^Pix \(confirmed by staff\) +R\$ 73\.20$/),
    expect.stringMatching(/^Pix +R\$ 73\.20$/),
  ]);
});

test('a receipt lists the options and the weight of a dish below it', () => {
  chooseLanguage('en');
  const [line] = bill.lines;
  if (!line) throw new Error('The bill has no line.');
  const option = { id: 1, group: 'Sabores', kitchen_name: null, quantity: 1, price: '0.00', item_id: null };
  const halves = ['Calabresa', 'Portuguesa'].map((name) => ({ ...option, name, of: 2, options: [] }));
  const options = [{ ...option, name: 'Grande', of: null, options: halves }];
  const measure = { value: '0.432', unit: 'kg' as const, price: '139.00' };
  const text = receiptText({ ...bill, lines: [{ ...line, options, measure }] }, '');
  expect(linesOf(text).slice(5, 9)).toEqual([
    '  0.432 kg × R$ 139.00',
    '  Grande',
    '    1/2 Calabresa',
    '    1/2 Portuguesa',
  ]);
});

test('a receipt has the dishes, the sums and only payments whose money arrived', () => {
  chooseLanguage('en');
  const lines = linesOf(receiptText(bill, 'Boteco da Lia'));
  expect(lines.slice(0, 2)).toEqual(['Boteco da Lia', 'Receipt no. 87 · Table 12']);
  expect(lines.slice(3)).toEqual([
    '-'.repeat(40),
    '1 Feijoada                      R$ 62.00',
    '-'.repeat(40),
    'Discount                        -R$ 6.20',
    'Service charge (10%)             R$ 6.20',
    'Total                           R$ 68.20',
    'Tip                              R$ 5.00',
    'Cash                            R$ 73.20',
    'Card                            R$ 73.20',
    'Refunded                       -R$ 73.20',
    '-'.repeat(40),
    'This isn’t a tax document.',
  ]);
});

test('a long name gets its amount on the next line, and an open bill says what is left to pay', () => {
  chooseLanguage('pt-BR');
  const name = 'Moqueca de camarão com pirão e arroz branco';
  const lines = newBill([]).lines.concat({ ...bill.lines[0]!, name });
  const text = receiptText(newBill([], { lines, table: null, total: '62.00', remaining: '62.00' }), '');
  expect(linesOf(text)).toEqual(
    expect.arrayContaining(['Comanda', 'Recibo', `1 ${name}`, 'R$ 62,00'.padStart(40), 'Sem valor fiscal.']),
  );
  expect(linesOf(text)).toContain('Falta pagar                     R$ 62,00');
});
