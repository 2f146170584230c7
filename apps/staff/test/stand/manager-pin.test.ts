/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { tabTo } from '@comanda/testing/page-checks';
import { minutesAgo } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, never, type State } from '@comanda/testing/stand/state';
import { pin } from '@comanda/testing/step-up-calls';
import type { Page } from 'playwright-core';
import { bottomOf, phone, press, says, tablet } from '../support/page.ts';
import { afterPin, managing, newAccount, newUser } from './manager-states.ts';

// The dialog that asks a manager for the PIN, in particular states.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const show = (at: string, state: State, look: StandLook = tablet): Promise<Page> =>
  stand.show(state, `#/manager/${at}`, look);
const padOf = (page: Page) => page.getByRole('group', { name: 'PIN' });
const { stepUp, turns: createUser } = afterPin(newUser(9, { name: 'Tito' }));
async function enterPin(page: Page, digits: string): Promise<void> {
  await padOf(page).and(page.locator('[aria-busy=false]')).waitFor();
  await page.keyboard.type(digits);
  await press(page, 'Confirm');
}
async function addTito(page: Page): Promise<void> {
  await press(page, 'Add person');
  const form = page.getByRole('form', { name: 'Add person' });
  await form.getByLabel('Name').fill('Tito');
  await form.getByLabel('E-mail').fill('tito@example.test');
  await form.getByLabel('Initial password').fill('uma-senha-para-comecar');
  await press(form, 'Add');
}

test('the dialog accepts typed and pasted digits without an input field', async () => {
  const nina = newUser(8, { name: 'Nina' });
  const { turns: updateUser } = afterPin({ ...nina, status: 'disabled' } as const);
  const page = await show(
    'people',
    managing({ users: [nina], answers: { updateUser: { turns: updateUser }, stepUp } }),
  );
  await page.getByRole('article', { name: 'Nina' }).waitFor();
  await tabTo(page, /^Edit Nina$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Disable$/);
  await page.keyboard.press('Enter');
  await says(page, 'You’re disabling Nina.');
  await padOf(page).and(page.locator('[aria-busy=false]')).waitFor();
  expect(await page.getByRole('dialog').locator('input').count()).toBe(0);
  await page.keyboard.type('999');
  for (let digits = 0; digits < 3; digits++) await page.keyboard.press('Backspace');
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text', text);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, pin);
  await page.getByText('6 of 6 digits').waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await says(page, 'Nina updated.');
  expect((await stand.calls('stepUp'))[0]?.input).toMatchObject({ transaction_password: pin });
});

test('a manager without a PIN creates one and then completes the action', async () => {
  const answers = {
    transactionPassword: { status: 'absent' },
    createTransactionPassword: { status: 'usable', created_at: minutesAgo(0), attempts_remaining: 3 },
    createUser: { turns: createUser },
    stepUp,
  } as const;
  const page = await show('people', managing({ answers }), phone);
  await addTito(page);
  await page.getByRole('heading', { name: 'Create your PIN' }).waitFor();
  const next = page.getByRole('button', { name: /^(Next|Create the PIN and confirm)$/ });
  const enter = async (digits: string): Promise<void> => {
    for (const digit of digits) await press(page, digit);
    await next.click();
  };
  // The dialog rejects a weak PIN immediately, before it is entered a second time.
  await enter('123456');
  await says(page, 'This PIN is too easy to guess.');
  await enter(pin);
  await enter('739153');
  await says(page, 'The two PINs don’t match.');
  await enter(pin);
  await enter(pin);
  await says(page, 'Tito added.');
  expect((await stand.calls('createTransactionPassword')).map(({ input }) => input)).toEqual([
    { transaction_password: pin, confirmation: pin },
  ]);
});

test('the dialog shows how many attempts are left', async () => {
  const wrong = (left: number) => fails('transaction_password_invalid', { members: { attempts_remaining: left } });
  const until = minutesAgo(-15);
  const blocked = fails('transaction_password_blocked', { members: { blocked_until: until } });
  const answers = { createUser: fails('step_up_required'), stepUp: { turns: [wrong(2), wrong(1), blocked] } };
  const page = await show('people', managing({ answers }));
  await addTito(page);
  for (const said of ['Wrong PIN, 2 tries left.', 'Wrong PIN, 1 try left.']) {
    await enterPin(page, '260817');
    await says(page, said);
  }
  await enterPin(page, '260817');
  const alert = page.getByRole('alert').getByText(/^Your PIN is blocked until \d\d:\d\d\.$/);
  await alert.waitFor();
  await stand.answer({ transactionPassword: { status: 'blocked', blocked_until: until } });
  await press(page, 'Add');
  await alert.waitFor();
  expect(await stand.calls('stepUp')).toHaveLength(3);
});

test('closing the dialog makes no call and reports no failure', async () => {
  const page = await show('people', managing({ answers: { createUser: fails('step_up_required') } }));
  await addTito(page);
  await padOf(page).waitFor();
  await press(page, 'Close');
  await padOf(page).waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByLabel('E-mail').inputValue()).toBe('tito@example.test');
  expect(await stand.calls('stepUp')).toEqual([]);
});

test('Esc does not close the dialog while the PIN for a deposit is being checked', async () => {
  const deposit = fails('step_up_required');
  const state = managing({ answers: { getAccount: newAccount(), deposit, stepUp: never } });
  const page = await show('deposits', state);
  await page.getByRole('textbox', { name: 'Account number, name or e-mail' }).fill('21');
  await press(page, 'Account 21');
  await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('50');
  await press(page, 'Review deposit');
  const dialog = page.getByRole('dialog');
  await says(dialog, 'R$ 50.00');
  await padOf(page).waitFor();
  await page.setViewportSize(tablet.viewport);
  expect(await bottomOf(dialog.getByRole('button', { name: 'Confirm' }))).toBeLessThan(await bottomOf(dialog));
  await enterPin(page, pin);
  await says(dialog, 'One moment…');
  await page.keyboard.press('Escape');
  await says(dialog, 'One moment…');
  expect(await dialog.isVisible()).toBe(true);
});

test("the dialog shows its purpose in the page's language", async () => {
  const page = await show('ordering', managing({ answers: { putStop: fails('step_up_required') } }));
  await press(page, 'Stop transfers');
  for (const [language, said] of [
    ['Português', 'Suspender transferências'],
    ['English', 'Stop transfers'],
  ] as const) {
    await page.locator('.app-menu > .tool-icon').dispatchEvent('click');
    await page.locator('.app-menu-list button', { hasText: language }).dispatchEvent('click');
    await says(page.getByRole('dialog'), said);
  }
});
