import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { dishNamed, minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { tapInView } from '@comanda/testing/tap-in-view';
import { smallPhone, tablet } from '../support/page.ts';
import { managing, newPayment, newTable } from './manager-states.ts';

// How many taps the commonest jobs of a manager take from the first page, without scrolling.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const feijoada = dishNamed('Feijoada');
const closed = newBill([newOrder({ items: ['Feijoada'] })], {
  status: 'closed',
  number: 87,
  payments: [newPayment()],
  paid: '68.20',
  remaining: '0.00',
  closed_at: minutesAgo(1),
});

test.each([smallPhone, tablet])('a price is changed in four taps at $viewport.width px', async (look) => {
  const updated = { ...feijoada, price: '64.00' };
  const state = managing({ dishes: [feijoada], answers: { updateMenuItem: updated } });
  const page = await stand.show(state, '#/manager/today', look);
  const price = page.getByLabel('Price (R$)');
  const taps = await tapInView(
    page.getByRole('link', { name: 'Menu', exact: true }),
    page.getByRole('link', { name: 'Edit Feijoada' }),
    price,
  );
  await price.fill('64.00');
  const all = taps + (await tapInView(page.getByRole('button', { name: 'Save' })));
  await page.getByText('Feijoada saved.').waitFor();
  expect(all).toBe(4);
});

test('a closed bill is reopened in five taps', async () => {
  const answers = { reopenBill: { ...closed, status: 'open', number: null, version: 2 } as const };
  const page = await stand.show(managing({ bills: [closed], answers }), '#/manager/today', tablet);
  const taps = await tapInView(
    page.getByRole('link', { name: 'Bills', exact: true }),
    page.getByRole('button', { name: 'More for No. 87 · Table 12' }),
    page.getByRole('button', { name: 'Reopen bill' }),
    page.getByLabel('Why do you reopen it?'),
  );
  await page.getByLabel('Why do you reopen it?').fill('Charged twice');
  const all = taps + (await tapInView(page.getByRole('button', { name: 'Reopen bill' })));
  await page.getByRole('link', { name: 'Open · Table 12' }).waitFor();
  expect(all).toBe(5);
});

test('twelve tables are added in three taps', async () => {
  const added = Array.from({ length: 12 }, (_, index) => newTable(String(index + 1)));
  const answers = { addTables: { added, existing: [] } };
  const page = await stand.show(managing({ tables: [], answers }), '#/manager/today', tablet);
  const taps = await tapInView(
    page.getByRole('link', { name: 'Tables', exact: true }),
    page.getByRole('button', { name: 'Add tables' }),
    page.getByRole('button', { name: 'Add 12 tables' }),
  );
  await page.getByText('12 tables added.').waitFor();
  expect(taps).toBe(3);
});
