import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { tablet } from '../support/page.ts';
import { manager, newCall, newTable, onDuty } from './states.ts';

// Live updates of the bills and calls on the managers' home page.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const order = newOrder({ seating: 88, items: ['Feijoada'] });
const bill = newBill([order], { paid: '12.00' });
const answers = { listScreens: [], listExceptions: [], listUsers: [], listTablets: [] };
const actor = { id: 2, role: 'waiter' } as const;

test('an open bill is listed with the amount left to pay', async () => {
  const state = onDuty({ who: manager, orders: [order], bills: [bill], tables: [newTable('12', 88)], answers });
  const page = await stand.show(state, '#/manager', tablet);
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="#/waiter/bill/${bill.id}"]`) });
  await row.getByText('R$\u00a056.20').waitFor();
  const paid = newBill([order], { paid: '68.20', version: 2 });
  await stand.emit('bill.changed', { bill: paid, change: { kind: 'payment_recorded' } as never, actor });
  await row.getByText('all paid').waitFor();
});

test('a call that has waited for 3 minutes is listed until a waiter accepts it', async () => {
  const late = newCall({ created_at: minutesAgo(3.1) });
  const recent = newCall({ id: 52, table: '14', seating: 89 });
  const state = onDuty({ who: manager, answers: { ...answers, listCalls: [late, recent] } });
  const page = await stand.show(state, '#/manager', tablet);
  const calls = page.locator('.evening-calls');
  await calls.getByText(/ 12$/).waitFor();
  expect(await calls.getByText(/ 14$/).count()).toBe(0);
  await stand.emit('call.changed', { call: { ...late, status: 'taken', version: 2, taken_by: actor }, actor });
  await calls.getByText(/ 12$/).waitFor({ state: 'detached' });
});
