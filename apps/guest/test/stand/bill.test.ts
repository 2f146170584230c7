import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dishNamed, minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never, unreachable, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import { guestPage } from '../support/guest.ts';
import { newCall, newPayment, seated } from './states.ts';

// The pages for the bill and the guests' payments.

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
async function show(path: string, { answers, ...more }: Parameters<typeof seated>[0] = {}) {
  const page = await stand.show(seated({ orders, bills: [bill], answers: { me: never, ...answers }, ...more }), path);
  const guest = guestPage(page);
  return { page, ...guest, left: page.getByRole('status', { name: 'Left to pay' }) };
}
const staff = { id: 9, role: 'waiter' } as const;
const emitBill = (differs: Partial<typeof bill>): Promise<void> =>
  stand.emit('bill.changed', {
    bill: { ...bill, version: 2, ...differs },
    change: { kind: 'payment_paid' },
    actor: staff,
  });

describe('the bill', () => {
  test('shows who ordered each dish and what is paid', async () => {
    const { page, left, sees } = await show('#/bill');
    const line = page.getByRole('listitem').filter({ hasText: 'Feijoada' });
    await line.getByText('R$ 124.00').waitFor();
    await page.getByRole('heading', { name: 'You' }).waitFor();
    await page.getByRole('heading', { name: 'Guest 1' }).waitFor();
    await left.getByText('R$ 156.20').waitFor();
    const lines = bill.lines.map((each, index) => (index === 0 ? { ...each, settled: { count: 2, of: 2 } } : each));
    const part = { lines: [{ line_id: bill.lines[0]?.id ?? 0, quantity: 2 }] };
    const paid = newPayment({ status: 'paid', part, amount: '136.40', total: '136.40', expires_at: null });
    await emitBill({
      lines,
      paid: '136.40',
      remaining: '19.80',
      payments: [paid],
      split: { ...bill.split, mode: 'lines' },
    });
    await line.getByText('paid', { exact: true }).waitFor();
    await left.getByText('R$ 19.80').waitFor();
    await emitBill({ version: 3, paid: '156.20', remaining: '0.00', payments: [paid] });
    await sees('All paid. Thank you!');
    await emitBill({
      version: 4,
      paid: '156.20',
      remaining: '0.00',
      payments: [paid],
      status: 'closed',
      number: 87,
      closed_at: minutesAgo(0),
    });
    await sees('Thank you! Bill no. 87.');
    await sees('A new order starts a new bill.');
  });
  test('shows all orders by staff in one section', async () => {
    const byStaff = [9, 10].map((id) =>
      newOrder({ id: 1050 + id, items: ['Pudim de leite'], placed_by: { id, name: `Waiter ${id}` } }),
    );
    const all = [...orders, ...byStaff];
    const lines = newBill(all).lines.map((line) =>
      line.ordered_by.id < 9 ? line : { ...line, ordered_by: { id: line.ordered_by.id, name: null } },
    );
    const { page } = await show('#/bill', { orders: all, bills: [newBill(all, { lines })] });
    const group = page.locator('.bill-group').filter({ hasText: 'Ordered by staff' });
    await group.getByRole('listitem').nth(1).waitFor();
    expect(await group.count()).toBe(1);
  });
  test('lets a guest decline the service charge until someone has paid', async () => {
    const declined = newBill(orders, {
      service_charge: { rate: '10.00', included: false, amount: '0.00' },
      version: 2,
    });
    const { page, left, button } = await show('#/bill', { answers: { setServiceCharge: declined } });
    const decline = page.getByRole('button', { name: 'Decline: Service charge (10%)' });
    await decline.click();
    await button('Keep it').click();
    expect(await stand.calls('setServiceCharge')).toEqual([]);
    await decline.click();
    await button('Yes, decline it').click();
    await left.getByText('R$ 142.00').waitFor();
    await button('Add: Service charge (10%)').waitFor();
    const paid = newPayment({ status: 'paid', amount: '2.00', total: '2.00', expires_at: null });
    await emitBill({ ...declined, version: 3, remaining: '140.00', paid: '2.00', payments: [paid] });
    await left.getByText('R$ 140.00').waitFor();
    expect(await page.getByRole('button', { name: /Service charge/ }).count()).toBe(0);
  });
  test("doesn't show “Nothing ordered” before the bill and its orders have loaded", async () => {
    const { page, sees } = await show('#/orders', {
      orders: [],
      bills: [],
      answers: { listOrders: never, listBills: never },
    });
    await sees('Loading orders…');
    await page.evaluate(() => void (location.hash = '#/bill'));
    await sees('Loading bill…');
    expect(await page.getByText(/^Nothing ordered/).count()).toBe(0);
  });
  test('is empty on a phone that is not at a table', async () => {
    const { sees } = await show('#/bill', { who: null, orders: [], bills: [] });
    await sees('Nothing ordered yet');
  });
  test('returns to the menu with "Menu", even if the guest came from the orders', async () => {
    const { page, button, orderCard } = await show('#/');
    const greeting = page.getByRole('heading', { level: 1, name: 'Table 12', exact: true });
    await page.getByRole('link', { name: /^Orders/ }).click();
    await page.getByRole('link', { name: /^Bill · / }).click();
    await page.goBack();
    await orderCard().first().waitFor();
    await page.getByRole('link', { name: /^Bill · / }).click();
    await button(/^Menu$/).click();
    await greeting.waitFor();
    await page.goForward();
    await page.reload();
    await button(/^Menu$/).click();
    await greeting.waitFor();
  });
  test('is one step back from the payment page, even after two taps', async () => {
    const { page, button, left, orderCard } = await show('#/orders');
    const toBill = page.locator('.back-link');
    const goTo = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);
    const isPaying = () => page.getByRole('heading', { level: 1, name: 'Pay' }).waitFor();
    await page.getByRole('link', { name: /^Bill · / }).click();
    await goTo('#/pay');
    await isPaying();
    await toBill.evaluate((back: HTMLElement) => [back, back].forEach((each) => each.click()));
    await left.waitFor();
    await page.goBack();
    await orderCard().first().waitFor(); // From here, the bill is one page away instead of two.
    await page.goForward();
    await left.waitFor();

    await goTo('#/pay');
    await goTo('#/pay/pin'); // Without a stored payment, the app shows the page for selecting a part instead.
    await until(async () => new URL(page.url()).hash === '#/pay', { what: 'the page of parts' });
    await toBill.click();
    await left.waitFor();
    await page.goForward();
    await page.goForward();
    await page.goBack(); // Both history entries have the same address, so there is no `hashchange` event.
    await toBill.click();
    await left.waitFor();
    await button(/^Menu$/).click();
    await page.getByRole('heading', { level: 1, name: 'Table 12', exact: true }).waitFor();
  });
});

describe("a guest's payment", () => {
  test('shows their own dishes and a tip as one amount', async () => {
    const { page, button, sees } = await show('#/pay');
    await page.getByRole('checkbox', { name: /Feijoada/ }).waitFor();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await page.getByRole('list', { name: 'You' }).getByText('Feijoada', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Guest 1' }).getByText('Milk flan').waitFor();
    await button('10% (R$ 13.64)').click();
    await page.locator('.pay-total').getByText('R$ 150.04').waitFor();
    await sees('R$ 136.40 plus R$ 13.64 tip');
  });
  test('by card or in cash calls a waiter, who is told the amount', async () => {
    const told = newCall({ method: 'cash', amount: '136.40' });
    const answers: State['answers'] = {
      call: { turns: [unreachable, told, newCall({ id: 52, method: 'card', amount: '156.20' })] },
      updateCall: { ...told, status: 'cancelled', version: 2 },
    };
    const { button, sees } = await show('#/pay', { answers });
    await stand.answer({ listCalls: unreachable });
    await button('Cash').click();
    await sees('We got no reply. If nobody comes, please wave.');
    await button('Cash').click();
    await sees('Waiter called. Not paid yet.');
    await sees(/^Waiter called at \d\d:\d\d to take R\$\s136\.40$/);
    // Another amount or tip is another call.
    await button('10% (R$ 13.64)').click();
    await sees('The waiter was told R$ 136.40. Tap again to correct it.');
    await button('No tip').click();
    await sees('Waiter called. Not paid yet.');
    await button(/^Pay everything/).click();
    await sees('The waiter was told R$ 136.40. Tap again to correct it.');
    await button('Card').click();
    await sees(/to take R\$\s156\.20$/);
    const made = (await stand.calls('call')).map(({ input }) => [input['method'], input['amount']]);
    expect(made).toEqual([
      ['cash', '136.40'],
      ['cash', '136.40'],
      ['card', '156.20'],
    ]);
    expect(await stand.calls('updateCall')).toMatchObject([{ input: { id: told.id, status: 'cancelled' } }]);
  });
  test('by card or in cash shows no other guest’s call', async () => {
    const listCalls = [newCall({ amount: '20.00', placed_by: { id: 8, role: 'customer' } })];
    const { page, sees } = await show('#/pay', { answers: { listCalls } });
    await sees('Card or cash: a waiter comes to you');
    expect(await page.getByText(/^Waiter called/).count()).toBe(0);
  });
  test('can be an equal share, by default for the number of guests who have ordered', async () => {
    const { page, button, sees } = await show('#/pay');
    await button('Split equally').click();
    const people = page.getByRole('spinbutton', { name: 'People' });
    expect(await people.inputValue()).toBe('2');
    await people.fill('3');
    await sees('R$ 52.07 each');
    const split = { mode: 'shares', shares_of: 3, shares_taken: 1 } as const;
    await emitBill({ split, paid: '52.07', remaining: '104.13' });
    await sees('1 of 3 paid');
  });
  test('can be any amount up to the rest once an equal share has been paid', async () => {
    const split = { mode: 'shares', shares_of: 2, shares_taken: 1 } as const;
    const paid = newPayment({ status: 'paid', part: { shares: 1, of: 2 }, amount: '78.10', total: '78.10' });
    const half = { split, paid: '78.10', remaining: '78.10', payments: [paid] };
    const { page, button, sees } = await show('#/pay', { bills: [newBill(orders, half)] });
    await button('Split equally').waitFor();
    expect(await button('Just my dishes').count()).toBe(0);
    await button('Other amount').click();
    await sees(/^Someone has already paid a share/);
    // The amount is limited to what is left to pay.
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('78.10');
    await page.locator('.pay-total').getByText('R$ 78.10').waitFor();
  });
  test('shows the old amount beside the new one when the bill changes', async () => {
    const { button, sees } = await show('#/pay');
    await button(/^Pay everything/).click();
    const payments = [newPayment({ status: 'paid', part: { amount: '100.00' }, amount: '100.00', total: '100.00' })];
    await emitBill({ paid: '100.00', remaining: '56.20', payments });
    await sees('Someone ordered or paid: your share went from R$ 156.20 to R$ 56.20.');
  });
});

describe('the orders page', () => {
  test('announces a ready dish while the list is still loading', async () => {
    const placeOrder = newOrder({ items: ['Feijoada'] });
    const { hears, order, orderCard } = await show('#/', {
      orders: [],
      bills: [],
      answers: { listOrders: never, placeOrder },
    });
    await order('Feijoada');
    await orderCard().waitFor();
    const ready = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'ready' }], version: 2 });
    await stand.emit('order.status_changed', { order: ready, from: 'received', to: 'ready', actor: staff });
    await hears('Ready: Feijoada');
  });
  test('shows HTML in a remark as plain text', async () => {
    const remark = '<img src=x onerror="document.title=1"><b>no salt</b>';
    const item = { dish: dishNamed('Feijoada'), remarks: remark };
    const { page, orderCard, sees } = await show('#/orders', {
      orders: [newOrder({ items: [item], allergies: '<i>peanuts</i>' })],
    });
    await orderCard().getByText(remark).waitFor();
    await sees('<i>peanuts</i>');
    expect(await page.locator('.remark b, .remark i, .remark img').count()).toBe(0);
  });
  test('shows Bill and "Order more" side by side on a short phone', async () => {
    const { page } = await show('#/orders');
    const ways = page.locator('.orders-dock > :is(a, button)');
    await ways.nth(1).waitFor();
    const tops = await ways.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(1);
  });
});
