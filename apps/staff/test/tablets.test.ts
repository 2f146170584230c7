import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { choosePin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { startStaffApp, type StaffApp } from './support/staff-app.ts';
import { password } from './support/manager-page.ts';
import { press, says } from './support/page.ts';
import { enterDigits, tabletPin, tabletsOf } from './support/tablet.ts';

let app: StaffApp;
let tablets: ReturnType<typeof tabletsOf>;
beforeAll(async () => {
  app = await startStaffApp('tablets');
  created(await choosePin(app.manager));
  tablets = tabletsOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const newName = (name: string): string => `${name} ${randomUUID().slice(0, 4)}`;

test('a waiter takes over the shift on a tablet with one tap', async () => {
  const [rui, ana] = [newName('Rui'), newName('Ana')];
  const { email } = await tablets.newWaiter(rui);
  const { id: idOfAna } = await tablets.newWaiter(ana, '5170');
  const page = await tablets.registerAtPage('Kitchen pass');
  await press(page, 'Sign out and show the names');
  await says(page, 'Who are you?');
  expect(await page.getByRole('button', { name: rui }).count()).toBe(0);

  await press(page, 'Sign in with e-mail and password');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await press(page, 'Menu');
  await press(page, 'Tablet PIN');
  await enterDigits(page, 'Choose four digits', '1234');
  await says(page, 'These digits are too easy to guess.');
  await enterDigits(page, 'Choose four digits', tabletPin);
  await enterDigits(page, 'Repeat the four digits', tabletPin);
  await page.getByLabel('Your password').fill(password);
  await press(page, 'Set the tablet PIN');
  await says(page, /^Your tablet PIN is set/);
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  await press(page, `Switch person, ${rui}`);

  await press(page, rui);
  await enterDigits(page, `Tablet PIN of ${rui}`, '4827');
  await says(page, 'Wrong tablet PIN. 4 tries left.');
  await enterDigits(page, `Tablet PIN of ${rui}`, tabletPin);
  await page.locator('button.shift-start').click();
  await page.locator('.board').waitFor();

  await press(page, `Switch person, ${rui}`);
  await press(page, ana);
  await enterDigits(page, `Tablet PIN of ${ana}`, '5170');
  await page.locator('.board').waitFor(); // The last person's shift continues.
  await page.getByRole('button', { name: `Switch person, ${ana}`, exact: true }).waitFor();

  // From here on, bumps are recorded under Ana's name.
  const order = await app.place('7', ['Feijoada']);
  await page.getByRole('button', { name: /^Bump, / }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const isByAna = async (): Promise<boolean> => {
    const { body: history } = await app.manager('GET', `/orders/${order.id}/history`);
    return history.some(({ actor }: { actor: { id: number } }) => actor.id === idOfAna);
  };
  await until(isByAna, { what: 'the bump of Ana' });
});
