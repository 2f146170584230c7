import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { startKitchenApp, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager, pin } from './support/manager-page.ts';
import { phone, press, says, smallPhone } from './support/page.ts';

/** A restaurant whose prices need a PIN. */
let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('manager-menu-pin', { MENU_STEP_UP: 'on' });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const dishOf = async (name: string): Promise<Order> =>
  ((await app.manager('GET', '/menu')).body as Order[]).find((dish) => dish.name === name);
const refusedWithoutPin = /status of 401 .*\/menu(\/\d+)?$/;

test('when a manager changes a price, then the PIN is for the price that the dialog shows, and a wrong one changes nothing', async () => {
  const { id } = await dishOf('Moqueca de peixe');
  const { page, dialog, enterPin } = await openManager(app, `menu/${id}`, phone);
  expectErrors(page, refusedWithoutPin);
  let agreed: unknown;
  await page.context().route('**/security/step-up', (route) => {
    agreed = route.request().postDataJSON().authorization_details;
    return route.fallback();
  });
  await page.getByLabel(/^Price/).fill('0.01');
  await press(page, 'Save');
  await says(dialog, 'You change Moqueca de peixe');
  await says(dialog, 'R$ 0.01');
  await app.shoot(page, 'manager-price-pin-phone');
  await enterPin('260817');
  await says(dialog, 'Wrong PIN, 2 tries left.');
  expect((await dishOf('Moqueca de peixe')).price).not.toBe('0.01');
  await enterPin(pin);
  await says(page, 'Moqueca de peixe is saved.');
  expect((await dishOf('Moqueca de peixe')).price).toBe('0.01');
  expect(agreed).toEqual([{ type: 'menu_management', item_id: id, price: '0.01' }]);
});

test('when the dialog is closed, then the price stays, and what was typed is still there', async () => {
  const { id, price } = await dishOf('Feijoada');
  const { page, dialog, pad } = await openManager(app, `menu/${id}`);
  expectErrors(page, refusedWithoutPin);
  await page.getByLabel(/^Price/).fill('99.00');
  await press(page, 'Save');
  await pad.waitFor();
  await press(dialog, 'Close');
  await pad.waitFor({ state: 'detached' });
  expect(await page.getByLabel(/^Price/).inputValue()).toBe('99.00');
  expect(await page.getByRole('alert').count()).toBe(0);
  expect((await dishOf('Feijoada')).price).toBe(price);
});

test('when a manager changes something else, then no PIN is asked for', async () => {
  const { id } = await dishOf('Feijoada');
  const { page } = await openManager(app, `menu/${id}`);
  await page.getByLabel('Description', { exact: true }).fill('Com couve e laranja');
  await press(page, 'Save');
  await says(page, 'Choose a dish to change it.');
  expect((await dishOf('Feijoada')).description).toBe('Com couve e laranja');
});

test('when a dish with the longest name is added in Portuguese, then the dialog shows its name and price', async () => {
  const { page, dialog } = await openManager(app, 'menu/new', {
    ...smallPhone,
    colorScheme: 'dark',
    locale: 'pt-BR',
  });
  expectErrors(page, refusedWithoutPin);
  const name = 'Caldeirada de frutos do mar com arroz de coco '.repeat(5).trim();
  await page.getByLabel('Nome', { exact: true }).fill(name);
  await page.getByLabel(/^Preço/).fill('99999999,99');
  await press(page, 'Adicionar ao cardápio');
  await says(dialog, 'Você adiciona um prato');
  await says(dialog, name);
  await app.shoot(page, 'manager-dish-pin-dark');
  expect(await dishOf(name)).toBeUndefined();
});
