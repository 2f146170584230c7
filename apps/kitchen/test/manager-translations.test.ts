import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { startKitchenApp, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says, tablet } from './support/page.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('manager-translations');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const dishOf = async (name: string): Promise<Order> =>
  ((await app.stack.call('GET', '/menu')).body as Order[]).find((dish) => dish.name === name);

test('when a manager translates a dish and its category, then guests of that language read it, at all dishes of the category', async () => {
  const body = { name: 'Canjica', price: '15.00', category: 'Doces da casa' };
  const { body: dish } = await app.manager('POST', '/menu', { body });
  await app.manager('POST', '/menu', { body: { ...body, name: 'Cocada' } });
  const { page } = await openManager(app, `menu/${dish.id}`, tablet);
  const form = page.getByRole('form', { name: 'Canjica' });
  const english = form.getByRole('group', { name: 'In English' });
  await english.getByLabel('Name in English').fill('Sweet hominy');
  await english.getByLabel('Description in English').fill('With coconut milk');
  await english.getByLabel('Category in English').fill('Sweets of the house');
  await app.shoot(page, 'manager-dish-translated');
  await press(form, 'Save');
  await says(page, 'Canjica is saved.');
  const row = page.locator('.menu-row', { hasText: 'Cocada' });
  await says(row, 'not in English');
  // For screen readers: the page is in English, the menu of this restaurant is not.
  expect(await row.getByText('Cocada', { exact: true }).getAttribute('lang')).toBe('pt-BR');

  const guest = await page.context().newPage();
  await guest.goto(app.url);
  const sweets = guest.getByRole('region', { name: 'Sweets of the house' });
  await says(sweets.getByRole('article', { name: 'Sweet hominy' }), 'With coconut milk');
  await sweets.getByRole('article', { name: 'Cocada' }).waitFor();
  expect(await dishOf('Cocada')).toMatchObject({ name_translations: {} });

  await page.getByRole('link', { name: 'Edit Cocada' }).click();
  const other = page.getByRole('form', { name: 'Cocada' });
  expect(await other.getByLabel('Category in English').inputValue()).toBe('Sweets of the house');
  await other.getByLabel('Category', { exact: true }).fill('Pratos');
  expect(await other.getByLabel('Category in English').inputValue()).toBe('Mains');
  await press(other, 'Save');
  await says(page, 'Cocada is saved.');
  expect(await dishOf('Cocada')).toMatchObject({ category_translations: { en: 'Mains' } });
});

test('when the restaurant writes its menu in English, then the form asks for Portuguese', async () => {
  const { page } = await openManager(app, 'menu', tablet);
  const written = page.getByRole('group', { name: 'The menu is written in' });
  await written.getByRole('button', { name: 'English', pressed: false }).click();
  await written.getByRole('button', { name: 'English', pressed: true }).waitFor();
  await written.scrollIntoViewIfNeeded();
  await app.shoot(page, 'manager-menu-language');
  await page.getByRole('link', { name: 'Add dish' }).click();
  await page.getByLabel('Name in Portuguese').waitFor();
  expect((await app.manager('GET', '/restaurant')).body.language).toBe('en');

  await press(written, 'Portuguese');
  await page.getByLabel('Name in English').waitFor();
});

test('when a dish has a text in the language of the restaurant from before, which guests read instead of its name, then the form shows it, and it can be removed', async () => {
  const body = { name: 'Caldo verde', price: '18.00', name_translations: { en: 'Green broth' } };
  const { body: dish } = await app.manager('POST', '/menu', { body });
  await app.manager('PUT', '/restaurant', { body: { language: 'en' } });
  try {
    const { page } = await openManager(app, `menu/${dish.id}`, tablet);
    const form = page.getByRole('form', { name: 'Caldo verde' });
    const name = form.getByLabel('Name in English');
    expect(await name.inputValue()).toBe('Green broth');
    await form.getByLabel('Name', { exact: true }).fill('Kale soup');
    await name.fill('');
    await press(form, 'Save');
    await says(page, 'Kale soup is saved.');
    expect(await dishOf('Kale soup')).toMatchObject({ name_translations: {} });
  } finally {
    await app.manager('PUT', '/restaurant', { body: { language: 'pt-BR' } });
  }
});

test('when the server refuses a translation, then the field says so', async () => {
  const { page } = await openManager(app, 'menu/new', { ...phone, colorScheme: 'dark', locale: 'pt-BR' });
  expectErrors(page, /status of 400 .*\/menu$/);
  const form = page.getByRole('form', { name: 'Novo prato' });
  const name = form.getByLabel('Nome em inglês');
  await form.getByLabel('Nome', { exact: true }).fill('Pé de moleque');
  await form.getByLabel('Preço, R$').fill('10');
  await form.getByLabel('Categoria', { exact: true }).fill('Sobremesas');
  await name.fill('P'.repeat(256));
  await press(form, 'Adicionar ao cardápio');
  await says(form, 'Longo demais, ou com caracteres não permitidos');
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  await until(() => name.evaluate((field) => field === document.activeElement), { what: 'the field to be in focus' });
  expect(await form.getByLabel('Categoria em inglês').inputValue()).toBe('Desserts');
  await app.shoot(page, 'manager-dish-translation-refused');
});
