/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { checkScreens } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import type { Locator, Page } from 'playwright-core';
import { startKitchenApp, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says, tablet } from './support/page.ts';

let app: KitchenApp;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('manager-pictures');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

let shades = 0;
/** A photograph as a phone makes it, painted in the page. `noise` makes it large. */
async function photograph(page: Page, { width, height, noise }: { width: number; height: number; noise: boolean }) {
  const base64 = await page.evaluate(
    async ({ w, h, isNoisy, hue }) => {
      const canvas = new OffscreenCanvas(w, h);
      const pen = canvas.getContext('2d');
      if (!pen) throw new Error('no canvas');
      const sky = pen.createLinearGradient(0, 0, w, h);
      sky.addColorStop(0, `hsl(${hue} 70% 40%)`);
      sky.addColorStop(1, `hsl(${hue + 60} 80% 65%)`);
      pen.fillStyle = sky;
      pen.fillRect(0, 0, w, h);
      pen.fillStyle = '#f4efe6';
      pen.arc(w / 2, h / 2, h / 3, 0, 7);
      pen.fill();
      if (isNoisy) {
        const grain = new OffscreenCanvas(128, 128);
        const dots = crypto.getRandomValues(new Uint8ClampedArray(128 * 128 * 4));
        grain.getContext('2d')?.putImageData(new ImageData(dots, 128, 128), 0, 0);
        pen.globalAlpha = 0.3;
        pen.fillStyle = pen.createPattern(grain, 'repeat') ?? '';
        pen.fillRect(0, 0, w, h);
      }
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return (bytes as Uint8Array & { toBase64: () => string }).toBase64();
    },
    { w: width, h: height, isNoisy: noise, hue: 37 * ++shades },
  );
  return { name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}
const small = (page: Page) => photograph(page, { width: 900, height: 600, noise: false });
const noPicture = { name: 'menu.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>alert(1)</script>') };

const dishOf = async (name: string): Promise<Order> =>
  ((await app.stack.call('GET', '/menu')).body as Order[]).find((dish) => dish.name === name);
const chooser = (scope: Page | Locator): Locator => scope.getByLabel('Upload a picture');
/** The picture that is shown in `scope`, when the browser has it. */
async function shownIn(scope: Locator): Promise<{ src: string; width: number }> {
  const image = scope.locator('.dish-picture-photograph img').first();
  const read = () =>
    image.evaluate((each: HTMLImageElement) => ({
      src: each.currentSrc,
      width: each.complete ? each.naturalWidth : 0,
    }));
  await image.waitFor();
  await until(async () => (await read()).width > 0, { what: 'the picture' });
  return read();
}
async function openDish(name: string, options = {}) {
  const { id } = await dishOf(name);
  const manager = await openManager(app, `menu/${id}`, options);
  const form = manager.page.getByRole('form', { name });
  await form.waitFor();
  return { ...manager, form };
}

test.each([
  ['en', 413, /Something between this device and the server takes no picture of this size/],
  ['pt-BR', 413, /Algo entre este aparelho e o servidor não aceita uma imagem deste tamanho/],
  ['en', 502, /Something between this device and the server answered: error 502/],
  ['pt-BR', 200, /A rede respondeu no lugar do restaurante/],
])(
  'the page (%s) says what is wrong when something in between answers a picture with %i',
  async (locale, status, said) => {
    const { page, form } = await openDish('Feijoada', { locale });
    await page.route('**/menu-pictures', (route) =>
      route.fulfill({ status, contentType: 'text/html', body: `<h1>${status}</h1>` }),
    );
    expectErrors(page, /status of (413|502) .*\/menu-pictures$/);
    await form
      .locator('input[type=file]')
      .first()
      .setInputFiles(await small(page));
    await form.getByText(said).waitFor();
  },
);

describe('a picture that is uploaded', () => {
  test('when a manager chooses a file and saves, then guests see it, as small as their screen shows it', async () => {
    const { page, form } = await openDish('Feijoada');
    await chooser(form).setInputFiles(await small(page));
    await press(form, 'Remove the picture');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('file');
    await chooser(form).setInputFiles(await small(page));
    expect((await shownIn(form)).src).toContain('/menu-pictures/');
    await form.getByLabel('Address of the picture').waitFor({ state: 'detached' });
    await press(form, 'Save');
    await says(page, 'Feijoada is saved.');

    expect((await dishOf('Feijoada')).image_url).toMatch(/^\/menu-pictures\/[0-9a-f]{64}$/);
    const guest = await page.context().newPage();
    await guest.setViewportSize(phone.viewport);
    await guest.goto(app.url);
    const card = guest.getByRole('article', { name: 'Feijoada', exact: true });
    await card.scrollIntoViewIfNeeded();
    expect((await shownIn(card)).src).toMatch(/\?width=400$/);
    await app.shoot(guest, 'picture-guest-menu');
    await card.getByRole('link', { name: 'Feijoada' }).click();
    await shownIn(guest.locator('.dish-hero'));
    await app.shoot(guest, 'picture-guest-dish');
  });

  test('when the manager goes on typing while it is sent, then what was typed stays, and Save waits for the picture', async () => {
    const { page, context, form } = await openDish('Moqueca de peixe');
    const held = Promise.withResolvers<void>();
    await context.route('**/menu-pictures', async (route) => {
      await held.promise;
      await route.continue();
    });
    await chooser(form).setInputFiles(await small(page));
    await says(form, 'The picture is being uploaded…');
    await form.getByLabel('Description', { exact: true }).fill('Com dendê');
    await form.getByRole('button', { name: 'Save' }).click({ force: true });
    held.resolve();

    await shownIn(form);
    await press(form, 'Save');
    await says(page, 'Moqueca de peixe is saved.');
    expect(await dishOf('Moqueca de peixe')).toMatchObject({
      description: 'Com dendê',
      image_url: expect.stringMatching(/^\/menu-pictures\//),
    });
  });

  test('when a phone has a photograph of 12 megapixels, then a fraction of it is sent', async () => {
    const { page, form } = await openDish('Picanha na brasa', phone);
    const photo = await photograph(page, { width: 4000, height: 3000, noise: true });
    const sent = page.waitForRequest((request) => request.url().endsWith('/menu-pictures'));
    await chooser(form).setInputFiles(photo);
    await shownIn(form);
    const { 'content-type': type, 'content-length': length } = await (await sent).allHeaders();

    expect(photo.buffer.length).toBeGreaterThan(3_000_000);
    expect(type).toBe('image/jpeg');
    expect(Number(length)).toBeGreaterThan(0);
    expect(Number(length)).toBeLessThan(photo.buffer.length / 2);
  });

  test('when a file is dropped on the picture, then it is uploaded', async () => {
    const { page, form } = await openDish('Chope claro 300 ml');
    const { name, mimeType, buffer } = await small(page);
    const files = await page.evaluateHandle(
      ([base64 = '', fileName = '', type = '']) => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
        transfer.items.add(new File([bytes], fileName, { type }));
        return transfer;
      },
      [buffer.toString('base64'), name, mimeType],
    );
    const field = form.getByRole('group', { name: 'Picture' });
    await field.dispatchEvent('dragover', { dataTransfer: files });
    await page.locator('.picture-field-over').waitFor();
    await field.dispatchEvent('drop', { dataTransfer: files });

    await shownIn(form);
    await page.locator('.picture-field-over').waitFor({ state: 'detached' });
  });
});

test('when a file is no picture, then the field says so, and all that was typed can be saved', async () => {
  const { page, form } = await openDish('Caipirinha');
  expectErrors(page, /status of 422 .*\/menu-pictures$/);
  await form.getByLabel('Description', { exact: true }).fill('Com limão');
  await chooser(form).setInputFiles(noPicture);

  await form.getByRole('alert').getByText('This file is damaged, or no picture.').waitFor();
  await press(form, 'Save');
  await says(page, 'Caipirinha is saved.');
  expect(await dishOf('Caipirinha')).toMatchObject({ description: 'Com limão', image_url: '/dishes/caipirinha.svg' });
});

test('when the network is down, then the field says so, and the next upload succeeds', async () => {
  const { page, context, form } = await openDish('Pudim de leite');
  expectErrors(page, /net::ERR_FAILED .*\/menu-pictures$/);
  await context.route('**/menu-pictures', (route) => route.abort());
  await chooser(form).setInputFiles(await small(page));
  await form.getByRole('alert').getByText('There is no connection.').waitFor();
  await context.unroute('**/menu-pictures');
  await chooser(form).setInputFiles(await small(page));

  await shownIn(form);
  await form.getByRole('alert').getByText('There is no connection.').waitFor({ state: 'detached' });
});

describe.each([
  { locale: 'en-GB', choose: 'Upload a picture' },
  { locale: 'pt-BR', choose: 'Enviar uma imagem' },
] as const)('in $locale', ({ locale, choose }) => {
  test('when the form shows a picture or why it was refused, then all of it fits, is named and can be reached', async () => {
    const looks = {
      tablet,
      dark: { ...tablet, colorScheme: 'dark' },
      phone,
      narrow: { viewport: { width: 320, height: 640 } },
    } as const;
    const { page } = await openDish('Caldinho de feijão', { locale });
    expectErrors(page, /status of 422 .*\/menu-pictures$/);
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: `picture-${locale}` });
    const input = page.getByLabel(choose);
    await input.setInputFiles(await small(page));
    await shownIn(page.locator('.dish-form'));
    await check('uploaded');
    await input.setInputFiles(noPicture);
    await page.locator('.picture-field .field-error svg').waitFor();
    await page.evaluate(() => document.querySelector('.picture-field')?.scrollIntoView());
    await check('refused');

    expect(found).toEqual([]);
    await input.focus();
    expect(await page.locator('.picture-field-choose').evaluate((each) => getComputedStyle(each).outlineStyle)).toBe(
      'solid',
    );
  });
});
