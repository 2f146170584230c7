/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { MenuItem } from '@comanda/contracts/menu';
import { checkScreens, inBothLanguages } from '@comanda/testing/page-checks';
import { dishNamed, menu, newDish } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type Reply, type State } from '@comanda/testing/stand/state';
import type { Locator, Page } from 'playwright-core';
import { looks } from '../support/looks.ts';
import { phone, press, says, smallPhone, tablet } from '../support/page.ts';
import { photograph, shownIn } from '../support/photograph.ts';
import { managing } from './manager-states.ts';

// The form for a dish, in particular states.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const feijoada = dishNamed('Feijoada');
const stored = `/menu-pictures/${'0'.repeat(64)}`;
/** Opens the form for the dish with this name, or for a new dish if no dish has it. */
async function openForm(name: string, state: State = managing(), look: StandLook = tablet) {
  const dish = (state.answers.listMenu as MenuItem[]).find((each) => each.name === name);
  const page = await stand.show(state, `#/manager/menu/${dish?.id ?? 'new'}`, look);
  const form = page.getByRole('form', { name, exact: true });
  await form.waitFor();
  return { page, form, nameField: form.getByLabel('Name', { exact: true }) };
}
const withDish = (differs: Partial<MenuItem>, answers: State['answers'] = {}): State =>
  managing({ dishes: [...menu, newDish({ name: 'Bobó', ...differs })], answers });
/** Returns the inputs of all calls that changed a dish. */
const savedChanges = async (): Promise<unknown> => (await stand.calls('updateMenuItem')).map(({ input }) => input);

test('saving a description does not overwrite portions that have changed in the meantime', async () => {
  const { page, form } = await openForm(
    'Bobó',
    withDish({ portions_left: 5 }, { updateMenuItem: newDish({ name: 'Bobó', version: 3 }) }),
  );
  await form.getByLabel('Description', { exact: true }).fill('Com vatapá');
  await stand.emit('menu.item_changed', {
    item: { ...newDish({ name: 'Bobó', portions_left: 3, version: 2 }), deleted: false },
  });
  await form.locator('input').nth(3).waitFor();
  await press(form, 'Save');
  await says(page, 'Choose a dish to edit it.');
  expect(await savedChanges()).toEqual([{ id: 90, description: 'Com vatapá' }]);
});

test('saving an allergen keeps the allergen that another manager has just added', async () => {
  const { page, form } = await openForm(
    'Bobó',
    withDish({ allergens: ['gluten'] }, { updateMenuItem: newDish({ name: 'Bobó', version: 3 }) }),
  );
  await press(form, 'sesame');
  for (let taps = 0; taps < 2; taps++) await press(form, 'fish');
  const item = newDish({ name: 'Bobó', allergens: ['gluten', 'milk', 'fish'], version: 2 });
  await stand.emit('menu.item_changed', { item: { ...item, deleted: false } });
  for (const name of ['milk', 'fish']) await form.getByRole('button', { name, exact: true, pressed: true }).waitFor();
  await press(form, 'Save');
  await says(page, 'Choose a dish to edit it.');
  expect(await savedChanges()).toEqual([{ id: 90, allergens: ['gluten', 'milk', 'fish', 'sesame'] }]);
});

test('a dish without portions is shown as unavailable', async () => {
  const state = withDish({ portions_left: 0 }, { updateMenuItem: newDish({ name: 'Bobó', version: 2 }) });
  const { page, form } = await openForm('Bobó', state);
  const onSale = form.getByRole('switch', { name: 'Available' });
  expect(await onSale.getAttribute('aria-checked')).toBe('false');
  await onSale.click();
  await press(form, 'Save');
  await says(page, 'Choose a dish to edit it.');
  expect(await savedChanges()).toEqual([{ id: 90, portions_left: null }]);
});

test('the form keeps its input if the name is taken or the connection is lost', async () => {
  const state = managing({ answers: { createMenuItem: { turns: [fails('menu_item_exists'), unreachable] } } });
  const { page, form, nameField } = await openForm('New dish', state);
  await nameField.fill('feijoada');
  await form.getByLabel('Price (R$)').fill('10');
  await press(form, 'Add to menu');
  await says(form, 'Another dish already has this name.');
  expect(await form.getByRole('alert').allTextContents()).not.toContainEqual(expect.stringContaining('Try again'));
  await nameField.fill('Caruru');
  await press(form, 'Add to menu');
  await form.getByRole('alert').getByText('No connection.').waitFor();
  await page.getByRole('link', { name: 'Tables' }).click();
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Add dish' }).click();
  expect(await nameField.inputValue()).toBe('Caruru');
});

describe('the PIN dialog for a price', () => {
  const asksForPin = { updateMenuItem: fails('step_up_required'), createMenuItem: fails('step_up_required') };

  test('leaves the new price in the form when it is closed', async () => {
    const { page, form } = await openForm('Feijoada', managing({ answers: asksForPin }));
    await form.getByLabel(/^Price/).fill('99.00');
    await press(form, 'Save');
    await page.getByRole('group', { name: 'PIN' }).waitFor();
    await press(page.getByRole('dialog'), 'Close');
    await page.getByRole('group', { name: 'PIN' }).waitFor({ state: 'detached' });
    expect(await form.getByLabel(/^Price/).inputValue()).toBe('99.00');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await stand.calls('stepUp')).toEqual([]);
  });

  test('shows the longest name and the price in Portuguese', async () => {
    const look = { ...smallPhone, colorScheme: 'dark', language: 'pt-BR' } as const;
    const { page, form } = await openForm('Novo prato', managing({ answers: asksForPin }), look);
    const name = 'Caldeirada de frutos do mar com arroz de coco '.repeat(5).trim();
    await form.getByLabel('Nome', { exact: true }).fill(name);
    await form.getByLabel(/^Preço/).fill('99999999,99');
    await press(form, 'Adicionar ao cardápio');
    const dialog = page.getByRole('dialog');
    await says(dialog, 'Você está adicionando um prato');
    await says(dialog, name);
    await dialog.getByText(/^R\$.99\.999\.999,99$/).waitFor();
    await stand.shoot(page, 'manager-dish-pin-dark');
  });
});

describe("the form's translations", () => {
  test("are in Portuguese if the restaurant's menu is in English", async () => {
    const restaurant = { ...(managing().answers.getRestaurant as object), language: 'en', version: 2 } as never;
    const page = await stand.show(managing({ answers: { putRestaurant: restaurant } }), '#/manager/menu', tablet);
    const written = page.getByRole('group', { name: 'Menu language' });
    await written.getByRole('button', { name: 'English', pressed: false }).click();
    await written.getByRole('button', { name: 'English', pressed: true }).waitFor();
    expect((await stand.calls('putRestaurant')).map(({ input }) => input)).toEqual([{ language: 'en' }]);
    await page.getByRole('link', { name: 'Add dish' }).click();
    await page.getByLabel('Name in Portuguese').waitFor();
    expect(await page.getByLabel('Name in English').count()).toBe(0);
  });

  test("include a leftover translation into the menu's own language, so that it can be removed", async () => {
    const restaurant = { ...(managing().answers.getRestaurant as object), language: 'en' } as never;
    const saved = newDish({ name: 'Kale soup', version: 2 });
    const state = withDish(
      { name: 'Caldo verde', name_translations: { en: 'Green broth' } },
      { getRestaurant: restaurant, updateMenuItem: saved },
    );
    const { page, form, nameField } = await openForm('Caldo verde', state);
    const translated = form.getByLabel('Name in English');
    expect(await translated.inputValue()).toBe('Green broth');
    await nameField.fill('Kale soup');
    await translated.fill('');
    await press(form, 'Save');
    await says(page, 'Kale soup saved.');
    expect(await savedChanges()).toEqual([{ id: 90, name: 'Kale soup', name_translations: {} }]);
  });

  test("show the server's rejection at the right field", async () => {
    const refused = fails('validation_failed', { members: { errors: [{ pointer: '/name_translations/en' }] } });
    const look = { ...phone, colorScheme: 'dark', language: 'pt-BR' } as const;
    const { form } = await openForm('Novo prato', managing({ answers: { createMenuItem: refused } }), look);
    const translated = form.getByLabel('Nome em inglês');
    await form.getByLabel('Nome', { exact: true }).fill('Pé de moleque');
    await form.getByLabel('Preço (R$)').fill('10');
    await form.getByLabel('Categoria', { exact: true }).fill('Sobremesas');
    await translated.fill('P'.repeat(256));
    await press(form, 'Adicionar ao cardápio');
    await says(form, 'Longo demais, ou com caracteres não permitidos');
    expect(await translated.getAttribute('aria-invalid')).toBe('true');
    await form.locator('input:focus[lang=en]').waitFor();
    expect(await form.getByLabel('Categoria em inglês').inputValue()).toBe('Desserts');
  });
});

describe('the picture field', () => {
  const photo = { name: 'menu.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
  const damaged = fails('picture_invalid', { members: { reason: 'unreadable' } });
  const chooser = (scope: Locator | Page): Locator => scope.locator('input[type=file]').first();
  const uploading = (reply: Reply<'addMenuPicture'>): State => managing({ answers: { addMenuPicture: reply } });
  test.each([
    ['en', 413, /network between this device and the server doesn’t accept a picture of this size/],
    ['pt-BR', 413, /rede entre este aparelho e o servidor não aceita uma imagem deste tamanho/],
    ['en', 502, /Something between this device and the server responded with error 502/],
    ['pt-BR', 200, /A rede respondeu no lugar do restaurante/],
  ] as const)(
    'reports in %s that something between the device and the server responds with %i',
    async (language, status, said) => {
      const state = uploading(fails(status === 413 ? 'body_too_large' : 'unreachable', { status }));
      const { form } = await openForm('Feijoada', state, { ...tablet, language });
      await chooser(form).setInputFiles(photo);
      await form.getByText(said).waitFor();
    },
  );

  test('rejects a file that is not a picture', async () => {
    const saved = { ...feijoada, version: 2 };
    const state = managing({ answers: { addMenuPicture: damaged, updateMenuItem: saved } });
    const { page, form } = await openForm('Feijoada', state);
    await form.getByLabel('Description', { exact: true }).fill('Com limão');
    await chooser(form).setInputFiles(photo);
    await form.getByRole('alert').getByText('This file is damaged or isn’t a picture.').waitFor();
    await press(form, 'Save');
    await says(page, 'Feijoada saved.');
    expect(await savedChanges()).toEqual([{ id: feijoada.id, description: 'Com limão' }]);
  });

  test('uploads a picture after a network failure', async () => {
    const { form } = await openForm('Feijoada', uploading({ turns: [unreachable, { image_url: stored }] }));
    await chooser(form).setInputFiles(photo);
    const alert = form.getByRole('alert').getByText('No connection.');
    await alert.waitFor();
    await chooser(form).setInputFiles(photo);
    await alert.waitFor({ state: 'detached' });
    await form.getByLabel('Picture address').waitFor({ state: 'detached' });
  });

  test('reports on saving that the picture is no longer stored', async () => {
    const members = { errors: [{ pointer: '/image_url' }] };
    const answers = { updateMenuItem: fails('unprocessable_content', { members }) };
    const { page, form } = await openForm('Feijoada', managing({ answers }));
    await form.getByText('Position and picture address').click();
    await form.getByLabel('Picture address').fill(stored);
    await press(form, 'Save');
    await says(page.getByRole('group', { name: 'Picture' }), /This picture is no longer stored/);
    await page.locator('input[type=file]:focus').waitFor();
    await press(form, 'Remove the picture');
    await page.getByText(/This picture is no longer stored/).waitFor({ state: 'detached' });
  });

  test.each([
    { language: 'en', refusal: /This is a HEIC photo.*save it as a JPEG/ },
    { language: 'pt-BR', refusal: /Esta é uma foto HEIC.*salve-a antes como JPEG/ },
  ] as const)('explains what to do with a HEIC photo ($language)', async ({ language, refusal }) => {
    const { page, form } = await openForm('Feijoada', managing(), { ...tablet, language });
    const buffer = Buffer.from('....ftypheic');
    // Some systems don't know the type of HEIC files.
    for (const mimeType of ['image/heic', 'application/octet-stream']) {
      await chooser(form).setInputFiles({ name: 'IMG_2041.HEIC', mimeType, buffer });
      await says(page.getByRole('alert'), refusal);
    }
    expect(await stand.calls('addMenuPicture')).toEqual([]);
    // Safari converts HEIC to JPEG only if the field doesn't accept HEIC.
    expect(await chooser(form).getAttribute('accept')).toBe('image/jpeg,image/png,image/webp,image/avif');
  });

  test('lets the manager type during an upload', async () => {
    const { form } = await openForm('Feijoada', uploading(never));
    await chooser(form).setInputFiles(photo);
    await form.getByRole('group', { name: 'Picture' }).and(form.locator('[aria-busy=true]')).waitFor();
    const description = form.getByLabel('Description', { exact: true });
    await description.fill('Com dendê');
    await form.getByRole('button', { name: 'Save' }).click({ force: true });
    expect(await description.inputValue()).toBe('Com dendê');
    expect(await savedChanges()).toEqual([]);
  });

  test('shrinks a large photo before sending it', async () => {
    const { page, form } = await openForm('Feijoada', uploading({ image_url: stored }), phone);
    const large = await photograph(page, { width: 4000, height: 1000, noise: true });
    await chooser(form).setInputFiles(large);
    await form.getByLabel('Picture address').waitFor({ state: 'detached' });
    const sent = await page.evaluate(() => {
      const file = globalThis.standRemote.calls.find(({ call }) => call === 'addMenuPicture')?.input['file'] as Blob;
      return { type: file.type, size: file.size };
    });
    expect(large.buffer.length).toBeGreaterThan(1024 * 1024);
    expect(sent.type).toBe('image/jpeg');
    expect(sent.size).toBeLessThan(large.buffer.length / 2);
  });

  test('uploads a picture that is dropped onto the field', async () => {
    const { page, form } = await openForm('Feijoada', uploading({ image_url: stored }));
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['no picture'], 'menu.jpg', { type: 'image/jpeg' }));
      return transfer;
    });
    const field = form.getByRole('group', { name: 'Picture' });
    await field.dispatchEvent('dragover', { dataTransfer: files });
    await page.locator('.picture-field-over').waitFor();
    await field.dispatchEvent('drop', { dataTransfer: files });
    await form.getByLabel('Picture address').waitFor({ state: 'detached' });
    await page.locator('.picture-field-over').waitFor({ state: 'detached' });
    expect(await stand.calls('addMenuPicture')).toHaveLength(1);
  });

  test('fits every screen and works with the keyboard', async () => {
    const screens = inBothLanguages({ tablet, dark: looks.desk, phone, small: looks.small });
    const state = uploading({ turns: [{ image_url: stored }, damaged] });
    const { page } = await openForm('Feijoada', state, tablet);
    const { check, found } = checkScreens(page, { looks: screens, shoot: stand.shoot, name: 'picture' });
    await chooser(page).setInputFiles(photo);
    await shownIn(page.locator('.dish-form'));
    await check('uploaded');
    await chooser(page).setInputFiles(photo);
    await page.locator('.picture-field .field-error svg').waitFor();
    await page.evaluate(() => document.querySelector('.picture-field')?.scrollIntoView());
    await check('refused');
    expect(found).toEqual([]);
    await chooser(page).focus();
    const outline = page.locator('.picture-field-choose').evaluate((each) => getComputedStyle(each).outlineStyle);
    expect(await outline).toBe('solid');
  });
});
