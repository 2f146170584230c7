/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, misfitsOf } from '@comanda/testing/page-checks';
import { menu, newDish } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, unreachable, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longWord, looks, withoutAxe } from '../support/looks.ts';
import { phone, press, says, tablet } from '../support/page.ts';
import { afterPin, managing } from './manager-states.ts';

// The page on which managers import the menu from a CSV file and download it.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const fileOf = (name: string) => ({
  name: `${name}.csv`,
  mimeType: 'text/csv',
  buffer: readFileSync(new URL(`../menu-files/${name}.csv`, import.meta.url)),
});
const rowsOf = (page: Page) => page.getByRole('textbox', { name: /^(Rows of the file|Linhas do arquivo)$/ });
const previewOf = (page: Page) => page.getByRole('region', { name: /^(Preview|Prévia)$/ });
async function open(state: State = managing(), look: StandLook = tablet): Promise<Page> {
  const page = await stand.show(state, '#/manager/menu/file', look);
  await rowsOf(page).waitFor();
  return page;
}
const two = 'nome;preço;alergênicos\nFeijoada;99,00;\nCaruru;21,5;peixe';

describe('an import', () => {
  test('shows what is new and changed, and is made with the PIN', async () => {
    const { turns, stepUp } = afterPin({ added: 1, changed: 1, unchanged: 0 });
    const page = await open(managing({ answers: { importMenu: { turns }, stepUp } }));
    await rowsOf(page).fill(two);
    const preview = previewOf(page);
    await says(preview, '1 new, 1 changed');
    await says(preview, 'R$ 99.00');
    expect(await preview.locator('.manager-warning').allInnerTexts()).toHaveLength(1);
    await press(preview, 'Import 2 dishes');
    const dialog = page.getByRole('dialog');
    await says(dialog, 'You’re adding 1 dish and changing 1 dish');
    await dialog.getByRole('group', { name: 'PIN' }).and(page.locator('[aria-busy=false]')).waitFor();
    await page.keyboard.type('739152');
    await press(dialog, 'Confirm');
    await page.getByRole('status').getByText('Imported: 1 new, 1 changed.').waitFor();
    expect(await rowsOf(page).inputValue()).toBe('');
    const sent = (await stand.calls('importMenu'))[1]?.input ?? {};
    expect(sent).toEqual({
      dishes: [
        { name: 'Feijoada', price: '99.00', allergens: [] },
        { name: 'Caruru', price: '21.50', allergens: ['fish'], position: expect.any(Number) },
      ],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [{ input } = { input: {} }] = await stand.calls('stepUp');
    expect(input).toMatchObject({
      authorization_details: [{ type: 'menu_management', menu_sha256: sent['sha256'] }],
    });
  });

  test('is not offered while a row is wrong, and names its line and column', async () => {
    const page = await open(managing(), { ...phone, language: 'pt-BR' });
    await page.locator('input[type=file]').setInputFiles(fileOf('caixa'));
    const preview = previewOf(page);
    await says(preview, '7 erros no arquivo');
    await says(preview, 'Linha 3, Preço de venda');
    await says(preview, 'Linha 9');
    await says(preview, 'Colunas que ficam de fora: Custo.');
    expect(await preview.getByRole('button', { name: /^Importar/ }).count()).toBe(0);
    await stand.shoot(page, 'menu-file-mistakes-phone');
  });

  test('keeps its rows if the connection is lost or the server rejects one', async () => {
    const errors = [{ pointer: '/dishes/1/price', detail: 'is too much' }];
    const rejects = fails('validation_failed', { members: { errors } });
    const page = await open(managing({ answers: { importMenu: { turns: [unreachable, rejects] } } }));
    await rowsOf(page).fill(two);
    await press(page, 'Import 2 dishes');
    await page.getByRole('alert').getByText('No connection.').waitFor();
    await page.getByRole('link', { name: 'All dishes' }).click();
    await page.getByRole('link', { name: 'CSV: menu as a file' }).click();
    expect(await rowsOf(page).inputValue()).toBe(two);
    await press(page, 'Import 2 dishes');
    await says(previewOf(page), 'Line 3, preço');
    expect(await rowsOf(page).inputValue()).toBe(two);
  });

  test.each([
    ['a spreadsheet', Buffer.from('PK\u0003\u0004'), 'save it as CSV first'],
    ['a file that is too large', Buffer.alloc(1_025 * 1_024, 'a'), 'Split it into several files.'],
  ])('says what to do with %s', async (_what, buffer, text) => {
    const page = await open();
    await page.locator('input[type=file]').setInputFiles({ name: 'menu.xlsx', mimeType: 'text/csv', buffer });
    await says(page, new RegExp(text));
  });
});

test('a file that Excel saved in Brazil is read with its accents', async () => {
  const page = await open();
  await page.locator('input[type=file]').setInputFiles(fileOf('boteco'));
  await says(previewOf(page), 'Torresmo de rolo');
  expect(await rowsOf(page).inputValue()).toContain('Seis pães de queijo');
});

test('the downloaded menu changes nothing when it is imported', async () => {
  const page = await open(managing(), { ...tablet, language: 'pt-BR' });
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Baixar o cardápio')]);
  expect(download.suggestedFilename()).toBe('cardapio.csv');
  await page.locator('input[type=file]').setInputFiles(await download.path());
  await says(previewOf(page), `${menu.length} sem alteração`);
  await says(previewOf(page), 'O cardápio já está como neste arquivo.');
});

test('every state fits every screen in Portuguese with the longest values', async () => {
  const dish = newDish({ id: 90, name: longWord, price: '99999.99', category: longWord.slice(0, 64) });
  const page = await open(managing({ dishes: [...menu, dish] }), { ...looks['at-195'], language: 'pt-BR' });
  const measure = async (of: Page): Promise<string[]> => [
    ...(await withoutAxe.measure(of)),
    ...((of.viewportSize()?.width ?? 0) < 320 ? [] : await misfitsOf(of)),
  ];
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'menu-file', measure });
  await check('empty');
  await rowsOf(page).fill(
    `nome;preço;categoria;alergênicos\n${longWord};99999998,99;${'W'.repeat(64)};leite\n${'Ã'.repeat(255)};1;;`,
  );
  await previewOf(page).waitFor();
  await check('preview');
  await rowsOf(page).fill(`nome;preço;alergênicos\n${longWord};${longWord};${longWord}`);
  await previewOf(page).getByRole('alert').waitFor();
  await check('mistakes');
  expect(found).toEqual([]);
});
