/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minutesAgo } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { phone, press, says, tablet, tapTwice } from '../support/page.ts';
import { newCount, newDrawer, newMovement } from './day-states.ts';
import { managing } from './manager-states.ts';

// Cash drawers: blind counts on any device, what stays, and cash that no bill explains.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const moved = newDrawer('main', { moved: true });
const counted = newCount();
const unmoved = newDrawer('main', { counted_at: counted.at });
const bar = newDrawer('bar', { label: 'Bar' });
const withCash = (answers: State['answers']): State =>
  managing({ answers: { listCashDrawers: [moved], listCounts: [], listMovements: [], ...answers } });
const show = (answers: State['answers'] = {}, at = 'cash') => stand.show(withCash(answers), `#/manager/${at}`, tablet);

describe('a count', () => {
  test('shows no amount before, and the difference afterwards', async () => {
    const page = await show({ countCashDrawer: newCount() });
    const drawer = page.getByRole('region', { name: 'Main drawer' });
    await says(drawer, 'Not counted yet, and cash has already moved.');
    expect(await page.locator('main').textContent()).not.toMatch(/\d,?\d*\.\d\d/);
    await drawer.getByLabel('Counted (R$)').fill('860');
    await stand.answer({ listCashDrawers: [unmoved], listCounts: [newCount()] });
    await press(drawer, 'Save count: R$ 860.00');
    await says(drawer, 'R$ 2.00 missing');
    await drawer.getByRole('definition').filter({ hasText: 'R$ 862.00' }).waitFor();
    const [call] = await stand.calls('countCashDrawer');
    expect(call).toMatchObject({ input: { name: 'main', counted: '860' }, key: expect.any(String) });
  });

  test('adds up notes and coins', async () => {
    const page = await show({ countCashDrawer: newCount() });
    await press(page, 'Count notes and coins');
    const pieces = page.getByRole('group', { name: 'Notes and coins' });
    await pieces.getByLabel('How many R$ 200.00').fill('4');
    await pieces.getByLabel('How many R$ 0.05').fill('3');
    expect(await page.getByLabel('Counted (R$)').inputValue()).toBe('800.15');
    await pieces.getByLabel('How many R$ 2.00').fill('x');
    await press(page, 'Save count: R$ 800.15');
    await says(page, 'Enter whole numbers only.');
    await pieces.getByLabel('How many R$ 2.00').fill('');
    await press(page, 'Save count: R$ 800.15');
    expect((await stand.calls('countCashDrawer'))[0]?.input).toMatchObject({ counted: '800.15' });
  });

  test('keeps notes and coins if someone types in their total', async () => {
    const page = await show();
    await press(page, 'Count notes and coins');
    await page.getByLabel('How many R$ 200.00').fill('4');
    await page.getByLabel('Counted (R$)').focus();
    await page.keyboard.type('9');
    expect(await page.getByLabel('How many R$ 200.00').inputValue()).toBe('4');
    expect(await page.getByLabel('Counted (R$)').inputValue()).toBe('800.00');
    await press(page, 'Enter the total instead');
    expect(await page.getByLabel('How many R$ 200.00').count()).toBe(0);
    await page.getByLabel('Counted (R$)').fill('860');
    await page.getByRole('button', { name: 'Save count: R$ 860.00' }).waitFor();
  });

  test('again can be cancelled', async () => {
    const page = await show({ listCashDrawers: [unmoved], listCounts: [newCount()] });
    const drawer = page.getByRole('region', { name: 'Main drawer' });
    await press(drawer, 'Count again');
    await drawer.getByLabel('Counted (R$)').fill('8');
    await press(drawer, 'Cancel');
    await says(drawer, 'R$ 2.00 missing');
    await press(drawer, 'Count again');
    expect(await drawer.getByLabel('Counted (R$)').inputValue()).toBe('');
  });

  test('of which there are many are listed page by page', async () => {
    const counts = Array.from({ length: 50 }, (_, index) => newCount({ id: 5_100 - index, day: 213 }));
    const page = await show({ listCounts: counts });
    const list = page.getByRole('region', { name: 'Counts', exact: true });
    await press(list, 'Show more');
    // The stand has only one page.
    await list.getByRole('button', { name: 'Show more', exact: true }).waitFor({ state: 'detached' });
  });

  test('accepts an empty drawer, but no text', async () => {
    const page = await show({ countCashDrawer: newCount() });
    await press(page, 'Save count');
    await says(page, 'Enter what you counted, such as 860.00.');
    await page.getByLabel('Counted (R$)').fill('0');
    await press(page, 'Save count: R$ 0.00');
    expect((await stand.calls('countCashDrawer'))[0]?.input).toMatchObject({ counted: '0.00' });
  });

  test('is stored once after a double tap, and after a failure keeps its key and what was typed', async () => {
    const page = await show({ countCashDrawer: unreachable });
    await page.getByLabel('Counted (R$)').fill('860,50');
    await tapTwice(page.getByRole('button', { name: 'Save count: R$ 860.50' }));
    await says(page, 'No connection.');
    await page.reload();
    expect(await page.getByLabel('Counted (R$)').inputValue()).toBe('860,50');
    const [first] = await stand.calls('countCashDrawer');
    expect(first).toBeUndefined();
    const key = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem('comanda.manager.counts') ?? '{}')['1 main'].key,
    );
    await press(page, 'Save count: R$ 860.50');
    await says(page, 'No connection.');
    expect((await stand.calls('countCashDrawer')).map((call) => call.key)).toEqual([key]);
  });

  test('of an opening says that nothing was expected', async () => {
    const opening = newCount({ expected: null, difference: null, counted: '200.00', left: '200.00' });
    const page = await show({ listCashDrawers: [unmoved], listCounts: [opening] });
    await says(page.getByRole('region', { name: 'Main drawer' }), 'First count: this is what was in it.');
  });
});

describe('what stays', () => {
  const answers = { listCashDrawers: [unmoved, newDrawer('safe', { label: 'Cofre' })], listCounts: [counted] };

  test('is a second count, whose rest goes to another drawer', async () => {
    const page = await show({ ...answers, countCashDrawer: newCount({ left: '200.00', to: 'safe' }) });
    const form = page.getByRole('form', { name: 'What stays in it?' });
    await form.getByLabel('Left in it (R$)').fill('900');
    await press(form, 'Take out the rest');
    await says(form, 'Enter an amount up to R$ 860.00.');
    await form.getByLabel('Left in it (R$)').fill('200');
    await form.getByLabel('The rest goes to').selectOption('safe');
    await says(form, 'Then count that drawer too.');
    await stand.answer({ listCounts: [newCount({ id: 5022, difference: '0.00', left: '200.00' }), newCount()] });
    await press(form, 'Take out R$ 660.00');
    const drawer = page.getByRole('region', { name: 'Main drawer' });
    await says(drawer, 'R$ 200.00 left in it.');
    // What the first count of the day has found stays in view.
    await says(drawer.locator('.last-count-result'), 'R$ 2.00 missing');
    expect(await form.count()).toBe(0);
    expect((await stand.calls('countCashDrawer'))[0]?.input).toEqual({
      name: 'main',
      counted: '860.00',
      left: '200',
      to: 'safe',
    });
  });

  test('is kept over a reload until the drawer is counted again', async () => {
    const page = await show(answers);
    const form = page.getByRole('form', { name: 'What stays in it?' });
    await form.getByLabel('Left in it (R$)').fill('200');
    await form.getByLabel('The rest goes to').selectOption('safe');
    await page.reload();
    expect(await form.getByLabel('Left in it (R$)').inputValue()).toBe('200');
    expect(await form.getByLabel('The rest goes to').inputValue()).toBe('safe');
    await page.evaluate(() => {
      const typed = sessionStorage.getItem('comanda.manager.leaves') ?? '';
      sessionStorage.setItem('comanda.manager.leaves', typed.replace('5020', '5001'));
    });
    await page.reload();
    expect(await form.getByLabel('Left in it (R$)').inputValue()).toBe('');
  });

  test('is refused if another manager has taken out the rest', async () => {
    const page = await show(answers);
    const form = page.getByRole('form', { name: 'What stays in it?' });
    await form.getByLabel('Left in it (R$)').fill('200');
    const other = newCount({ id: 5031, at: minutesAgo(0), difference: '0.00', left: '200.00' });
    await stand.answer({ listCashDrawers: [{ ...unmoved, counted_at: other.at }], listCounts: [other] });
    await press(form, 'Take out R$ 660.00');
    await says(page.getByRole('region', { name: 'Main drawer' }), 'R$ 200.00 left in it.');
    expect(await stand.calls('countCashDrawer')).toEqual([]);
  });

  test('is refused if cash has moved since the count', async () => {
    const page = await show(answers);
    const form = page.getByRole('form', { name: 'What stays in it?' });
    await form.getByLabel('Left in it (R$)').fill('200');
    await stand.answer({ listCashDrawers: [{ ...unmoved, moved: true }] });
    await press(form, 'Take out R$ 660.00');
    await says(page, 'Cash has moved since the last count.');
    expect(await stand.calls('countCashDrawer')).toEqual([]);
  });
});

describe('cash that no bill explains', () => {
  test('needs an amount and a reason, and says what it stores', async () => {
    const page = await show({ addMovement: [newMovement()] });
    const form = page.getByRole('form', { name: 'Enter cash' });
    await press(form, 'Save');
    await says(form, 'Enter an amount, such as 80.00.');
    await says(form, 'Say what it was for.');
    await form.getByLabel('Amount (R$)').fill('80');
    await form.getByLabel('Reason').fill('Gelo');
    await stand.answer({ listMovements: [newMovement()] });
    await press(form, 'Expense: R$ 80.00');
    await says(form, 'Expense: R$ 80.00, saved.');
    await says(page.getByRole('region', { name: 'Entered since the last count' }), 'Gelo');
    const [call] = await stand.calls('addMovement');
    expect(call).toMatchObject({
      input: { name: 'main', kind: 'pay_out', amount: '80', reason: 'Gelo' },
      key: expect.any(String),
    });
    // The same again is another movement.
    await form.getByLabel('Amount (R$)').fill('80');
    await form.getByLabel('Reason').fill('Gelo');
    await press(form, 'Expense: R$ 80.00');
    await says(form, 'Expense: R$ 80.00, saved.');
    const keys = (await stand.calls('addMovement')).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  test('is kept over a reload with its key, so that it is entered once', async () => {
    const page = await show({ addMovement: unreachable });
    const form = page.getByRole('form', { name: 'Enter cash' });
    await press(form, 'Cash taken out');
    await form.getByLabel('Amount (R$)').fill('500');
    await form.getByLabel('Reason').fill('Banco');
    await press(form, 'Cash taken out: R$ 500.00');
    await says(form, 'No connection.');
    const [first] = await stand.calls('addMovement');
    await page.reload();
    await press(form, 'Cash taken out: R$ 500.00');
    await says(form, 'No connection.');
    const [again] = await stand.calls('addMovement');
    expect(again).toEqual(first);
    expect(again?.input).toMatchObject({ kind: 'drop', amount: '500', reason: 'Banco' });
  });

  test('is not shown to the next manager on a tablet, whose press would enter it again', async () => {
    const state = withCash({ listMovements: [newMovement()] });
    const page = await stand.show(state, '#/manager/cash', tablet);
    const reason = page.getByRole('form', { name: 'Enter cash' }).getByLabel('Reason');
    await reason.fill('Banco');
    await press(page, 'Reverse Expense -R$ 80.00');
    await says(page, 'Reverse this entry?');
    const tab = await page.evaluate(() => Object.fromEntries(Object.entries<string>(sessionStorage)));
    const rui = { userId: 9, role: 'manager', name: 'Rui' } as const;
    await stand.show({ ...state, tab, who: rui }, '#/manager/cash', tablet);
    await page.getByRole('button', { name: 'Reverse Expense -R$ 80.00' }).waitFor();
    expect(await reason.inputValue()).toBe('');
  });

  test('may move from one drawer to another', async () => {
    const page = await show({ listCashDrawers: [moved, bar], addMovement: [newMovement()] }, 'cash/bar');
    const form = page.getByRole('form', { name: 'Enter cash' });
    expect(await form.getByLabel('It goes to').count()).toBe(0);
    await press(form, 'Change fund in');
    await form.getByLabel('Amount (R$)').fill('50');
    await form.getByLabel('It comes from').selectOption('main');
    await form.getByLabel('Reason').fill('Troco');
    await press(form, 'Change fund in: R$ 50.00');
    await says(form, 'Change fund in: R$ 50.00, saved.');
    const [call] = await stand.calls('addMovement');
    expect(call?.input).toEqual({ name: 'bar', kind: 'float', amount: '50', reason: 'Troco', other: 'main' });
  });

  test('is reversed once, with a reason', async () => {
    const page = await show({ listMovements: [newMovement()], addMovement: never });
    const list = page.getByRole('region', { name: 'Entered since the last count' });
    await press(list, 'Reverse Expense -R$ 80.00');
    await list.getByLabel('Why are you reversing it?').fill('Wrong drawer');
    await list.getByRole('button', { name: 'Reverse', exact: true }).click();
    await stand.answer({ addMovement: fails('movement_not_reversible') });
    await says(list, 'This can’t be reversed any longer.');
    const [first] = await stand.calls('addMovement');
    expect(first?.input).toEqual({ name: 'main', reverses: 5013, reason: 'Wrong drawer' });
    // Over a reload, the reason and the key stay.
    await page.reload();
    await list.getByLabel('Why are you reversing it?').waitFor();
    await stand.answer({ addMovement: fails('movement_not_reversible') });
    await list.getByRole('button', { name: 'Reverse', exact: true }).click();
    await says(list, 'This can’t be reversed any longer.');
    expect((await stand.calls('addMovement'))[0]).toEqual(first);
    const reversal = newMovement({ id: 5014, amount: '80.00', reverses: 5013, reason: 'Wrong drawer' });
    await stand.answer({ addMovement: [reversal], listMovements: [reversal, newMovement()] });
    await list.getByRole('button', { name: 'Reverse', exact: true }).click();
    await says(list, 'Reversal: Expense');
    expect(await list.getByRole('button').count()).toBe(0);
  });
});

describe('drawers', () => {
  test('are added, renamed and retired once they are empty', async () => {
    const page = await stand.show(
      withCash({ listCashDrawers: [moved, bar], putCashDrawer: newDrawer('balcao-norte', { label: 'Balcão Norte' }) }),
      '#/manager/cash',
      phone,
    );
    const region = page.getByRole('region', { name: 'Drawers' });
    await region.getByLabel('Name of the new drawer').fill('bar');
    await press(region, 'Add drawer');
    await says(region, 'A drawer with this name exists.');
    await region.getByLabel('Name of the new drawer').fill('Balcão Norte');
    await press(region, 'Add drawer');
    await says(region, 'Balcão Norte added.');
    await press(region, 'Rename Bar');
    await region.getByLabel('New name').fill('Bar de cima');
    await press(region, 'Save');
    await stand.answer({ putCashDrawer: fails('cash_drawer_not_empty') });
    await press(region, 'Retire Bar');
    await says(region, 'Count it, take everything out, then retire it.');
    expect((await stand.calls('putCashDrawer')).map(({ input }) => input)).toEqual([
      { name: 'balcao-norte', label: 'Balcão Norte' },
      { name: 'bar', label: 'Bar de cima' },
      { name: 'bar', status: 'retired' },
    ]);
    expect(await region.getByRole('button', { name: 'Retire Main drawer' }).count()).toBe(0);
  });
});
