import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { dishNamed, minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never } from '@comanda/testing/stand/state';
import { guestPage } from '../support/guest.ts';
import { newPayment, seated } from './states.ts';

// What a guest reads once their part, or everything, is paid.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

/** Two guests at table 12. This phone has ordered two Feijoadas (R$ 124.00), and the other a milk flan (R$ 18.00). */
const own = newOrder({ id: 1042, items: [{ dish: dishNamed('Feijoada'), quantity: 2 }] });
const other = newOrder({ id: 1043, items: ['Pudim de leite'], placed_by: { id: 8, name: 'Table 12' } });
const orders = [own, other];
const bill = newBill(orders);
async function show(path: string) {
  const page = await stand.show(seated({ orders, bills: [bill], answers: { me: never } }), path);
  return { page, ...guestPage(page) };
}
const emitBill = (differs: Partial<typeof bill>): Promise<void> =>
  stand.emit('bill.changed', {
    bill: { ...bill, version: 2, ...differs },
    change: { kind: 'payment_paid' },
    actor: { id: 9, role: 'waiter' },
  });

test('a phone says goodbye, without a warning, when the table is closed after everything was paid', async () => {
  const { page, sees } = await show('#/');
  const paid = newPayment({ status: 'paid', amount: '156.20', total: '156.20', expires_at: null });
  await page.getByRole('link', { name: /^Bill · R\$ 156\.20/ }).waitFor();
  await emitBill({
    paid: '156.20',
    remaining: '0.00',
    payments: [paid],
    status: 'closed',
    number: 87,
    closed_at: minutesAgo(0),
  });
  await page.getByRole('link', { name: 'Bill · paid' }).waitFor();
  await stand.emit('seating.closed', { seating: 88, table: '12', closed_at: minutesAgo(0) });
  await sees('All paid. Thank you for your visit!');
  expect(await page.getByText('You’re no longer at this table').count()).toBe(0);
  await page.evaluate(() => void (location.hash = '#/bill'));
  await sees('Thank you! Bill no. 87.');
  await sees('To order again, scan the code on the table.');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save receipt' }).click();
  expect((await download).suggestedFilename()).toBe('receipt-87.txt');
});

test('a phone warns when the table is closed while something is still to pay', async () => {
  const { page, sees } = await show('#/');
  await page.getByRole('link', { name: /^Bill · R\$ 156\.20/ }).waitFor();
  await stand.emit('seating.closed', { seating: 88, table: '12', closed_at: minutesAgo(0) });
  await sees('You’re no longer at this table');
});

test('the bill is green once this guest has paid their part', async () => {
  const { page, sees } = await show('#/bill');
  await page.getByRole('status', { name: 'Left to pay' }).getByText('R$ 156.20').waitFor();
  const paid = newPayment({
    status: 'paid',
    amount: '136.40',
    total: '136.40',
    expires_at: null,
    payer: { id: 7, name: 'Guest' },
  });
  // What the other guest is paying now isn't paid yet.
  await emitBill({ paid: '136.40', remaining: '0.00', reserved: '19.80', payments: [paid] });
  await sees('The others still have R$ 19.80 to pay.');
  await emitBill({ paid: '136.40', remaining: '19.80', payments: [paid], version: 3 });
  await sees('Your part is paid. Thank you!');
  await page.getByRole('button', { name: 'Pay for others too' }).click();
  await page.getByRole('heading', { name: 'Pay', exact: true }).waitFor();
});
