import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { checkScreens, textsOutsideOf } from '@comanda/testing/page-checks';
import { created } from '@comanda/testing/call';
import { choosePin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { startKitchenApp, type KitchenApp } from './support/kitchen-app.ts';
import { longName } from './support/looks.ts';
import { openManager, password } from './support/manager-page.ts';
import { holdList, phone, press, says, smallPhone, tablet } from './support/page.ts';
import { enterDigits, tabletPin, tabletsOf } from './support/tablet.ts';

let app: KitchenApp;
let tablets: ReturnType<typeof tabletsOf>;
beforeAll(async () => {
  app = await startKitchenApp('tablets');
  created(await choosePin(app.manager));
  tablets = tabletsOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const newName = (name: string): string => `${name} ${randomUUID().slice(0, 4)}`;

test('when a manager has registered a tablet, then a waiter sets a tablet PIN there, signs in with it, and the next one takes over with one tap', async () => {
  const [rui, ana] = [newName('Rui'), newName('Ana')];
  const { email } = await tablets.newWaiter(rui);
  const { id: idOfAna } = await tablets.newWaiter(ana, '5170');
  const page = await tablets.registerAtPage('Kitchen pass');
  await app.shoot(page, 'shared-tablet-registered');
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
  await enterDigits(page, 'The same four digits again', tabletPin);
  await page.getByLabel('Your password').fill(password);
  await press(page, 'Set the tablet PIN');
  await says(page, /^Your tablet PIN is set/);
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  await press(page, `Switch person, ${rui}`);

  await press(page, rui);
  await enterDigits(page, `Tablet PIN of ${rui}`, '4827');
  await says(page, 'Wrong tablet PIN, 4 tries left.');
  await enterDigits(page, `Tablet PIN of ${rui}`, tabletPin);
  await page.locator('button.shift-start').click();
  await page.locator('.board').waitFor();

  await press(page, `Switch person, ${rui}`);
  await press(page, ana);
  await enterDigits(page, `Tablet PIN of ${ana}`, '5170');
  await page.locator('.board').waitFor(); // the shift goes on
  await page.getByRole('button', { name: `Switch person, ${ana}`, exact: true }).waitFor();
  await app.shoot(page, 'shared-tablet-board');

  // What is bumped now, Ana has bumped.
  const order = await app.place('7', ['Feijoada']);
  await page.getByRole('button', { name: /^Bump ticket / }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const isByAna = async (): Promise<boolean> => {
    const { body: history } = await app.manager('GET', `/orders/${order.id}/history`);
    return history.some(({ actor }: { actor: { id: number } }) => actor.id === idOfAna);
  };
  await until(isByAna, { what: 'the bump of Ana' });
});

test('when a tablet PIN was wrong five times, then the page says until when, and the password still signs in', async () => {
  const name = newName('Caio');
  const { email } = await tablets.newWaiter(name, tabletPin);
  const page = await tablets.registerAtPage('Bar');
  await press(page, 'Sign out and show the names');
  await press(page, name);
  for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
    await enterDigits(page, `Tablet PIN of ${name}`, '4827');
    await says(page, `Wrong tablet PIN, ${left} left.`);
  }
  await enterDigits(page, `Tablet PIN of ${name}`, '4827');
  await says(page, /^Too many wrong tablet PINs\. This tablet takes none of yours before \d/);
  await app.shoot(page, 'shared-tablet-blocked');

  await press(page, 'Sign in with e-mail and password');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('button.shift-start').waitFor();
});

test('when a manager removes the tablet, then it shows no names, and asks for e-mail and password', async () => {
  const name = newName('Lia');
  await tablets.newWaiter(name, tabletPin);
  const page = await tablets.registerAtPage('Terrace');
  await press(page, 'Sign out and show the names');
  await press(page, name);

  await tablets.remove('Terrace');

  await enterDigits(page, `Tablet PIN of ${name}`, tabletPin);
  await says(page, 'This device is no registered tablet any more.');
  await page.getByLabel('E-mail').waitFor();
  await page.reload();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.getByText('Who are you?').count()).toBe(0);
});

test('when this device is registered while the tablets are still being read, then the answer does not hide it', async () => {
  await tablets.registerAtPage('Registered before');
  const manager = await openManager(app, 'menu');
  const { page } = manager;
  const release = await holdList(page, '/tablets');
  await manager.goTo('screens');
  await tablets.register(manager, 'Registered meanwhile');

  release();

  await page.getByRole('article', { name: 'Registered before', exact: true }).waitFor();
  expect(await page.getByRole('article', { name: 'Registered meanwhile', exact: true }).count()).toBe(1);
});

test('when the pages of a tablet are shown, then axe finds nothing, and all of it fits', async () => {
  const looks = {
    small: { ...smallPhone, colorScheme: 'light' },
    dark: { ...phone, colorScheme: 'dark' },
    light: { ...tablet, colorScheme: 'light' },
  } as const;
  const long = newName('Maria Aparecida do Nascimento Albuquerque');
  await tablets.newWaiter(long, tabletPin);
  for (const each of ['Bia', 'Davi', 'Eva']) await tablets.newWaiter(newName(each), tabletPin);
  const page = await tablets.registerAtPage('Kitchen pass, left of the oven', looks.small);
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'shared-tablet' });
  await check('section');
  await page.reload();
  await page.getByRole('button', { name: 'Switch person, Marta' }).waitFor();
  await check('manager');
  await press(page, 'Switch person, Marta');
  await says(page, 'Who are you?');
  await check('names');
  await press(page, long);
  await enterDigits(page, `Tablet PIN of ${long}`, '4827');
  await says(page, /4 tries left/);
  await check('wrong');
  await enterDigits(page, `Tablet PIN of ${long}`, tabletPin);
  await page.getByRole('button', { name: `Switch person, ${long}`, exact: true }).waitFor();
  await press(page, 'Menu');
  await press(page, 'Tablet PIN');
  await page.getByRole('dialog').waitFor();
  await check('dialog');
  await page.keyboard.press('Escape');
  await app.goTo(page, 'waiter/ready');
  await page.locator('.waiter-head').waitFor();
  await check('waiter');
  expect(found).toEqual([]);
});

/** Parts of the bar whose text covers the next part. */
const overlapsIn = (bar: Locator): Promise<string[]> =>
  bar.evaluate((element) => {
    const partsOf = (whole: Element): Element[] =>
      [...whole.children].flatMap((part) => (getComputedStyle(part).display === 'contents' ? partsOf(part) : [part]));
    const shown = partsOf(element).filter((part) => part.checkVisibility());
    const parts = shown.filter((part) => part.textContent !== '' || part.querySelector('svg'));
    const textOf = (part: Element): DOMRect => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return range.getBoundingClientRect();
    };
    return parts.flatMap((part, index) => {
      const next = parts[index + 1];
      return next && textOf(part).right > next.getBoundingClientRect().left ? [part.className] : [];
    });
  });

test.each([1200, 768])(
  'when the board of a tablet of %i px is in Portuguese, then the line of its tools fits, also with its sound off',
  async (width) => {
    const name = newName('Bartolomeu');
    await tablets.newWaiter(name, tabletPin);
    const page = await tablets.registerAtPage(newName('Passe'), { viewport: { width, height: 1000 } });
    await page.evaluate(() => localStorage.setItem('comanda.language', 'pt-BR'));
    await page.reload();
    await press(page, /^Trocar de pessoa, /);
    await says(page, 'Quem é você?');
    await app.shoot(page, 'shared-tablet-pt-names');
    await press(page, name);
    await enterDigits(page, `PIN do tablet de ${name}`, tabletPin);
    await page.locator('button.shift-start').click();
    const fits = async (): Promise<void> => {
      await page.getByRole('button', { name: `Trocar de pessoa, ${name}` }).waitFor();
      expect(await overlapsIn(page.locator('.board-top'))).toEqual([]);
      const menu = await page.locator('.board-top .app-menu').boundingBox();
      expect((menu?.x ?? width) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
    };
    await page.locator('.board').waitFor();
    await page.evaluate(() => document.fullscreenElement && document.exitFullscreen()); // which has the size of the screen
    await fits();
    await page.reload();
    await fits();
    await app.shoot(page, `shared-tablet-pt-board-${width}`);
    // Also while orders of before are still arriving, which is a sentence.
    const state = await page.locator('.board-top .state-line').boundingBox();
    expect(state?.width).toBeGreaterThan(80);
  },
);

test('when somebody has the longest name, then a shared tablet leaves room for the others, and for the keys', async () => {
  await tablets.newWaiter(longName, tabletPin);
  const page = await tablets.registerAtPage('Kitchen pass', phone);
  await press(page, 'Sign out and show the names');
  const name = page.locator('.tablet-people button', { hasText: 'Rindfleisch' });
  expect((await name.boundingBox())?.height).toBeLessThan(100);
  await name.click();
  await app.shoot(page, 'looks-tablet-pin');
  const zero = await page.locator('.pin-pad').getByRole('button', { name: '0', exact: true }).boundingBox();
  expect((zero?.y ?? 844) + (zero?.height ?? 0)).toBeLessThanOrEqual(844);
  await enterDigits(page, `Tablet PIN of ${longName}`, tabletPin);
  await press(page, 'Menu');
  await page.locator('.app-menu-list').waitFor();
  expect(await textsOutsideOf(page)).toEqual([]);
  await app.goTo(page, 'board');
  await page.locator('button.shift-start').waitFor();
  await press(page.getByRole('main'), 'Português');
  await press(page, 'Menu');
  await press(page, 'PIN do tablet');
  await page.setViewportSize({ width: 195, height: 844 });
  const close = await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).boundingBox();
  expect((close?.x ?? 195) + (close?.width ?? 0)).toBeLessThanOrEqual(195);
  await page.keyboard.press('Escape');

  const manager = await tablets.registerAtPage('Bar', phone);
  await manager.getByRole('article', { name: 'Kitchen pass', exact: true }).getByText('Rindfleisch').waitFor();
  await manager.locator('.screens-now').getByText('Rindfleisch').first().waitFor();
  expect(await textsOutsideOf(manager)).toEqual([]);
});

test('a tablet asks its browser to remember it, says if it does not, and what to do once it has forgotten', async () => {
  const manager = await openManager(app, 'screens', tablet);
  await manager.page.evaluate(() => {
    // Without TLS the browser has none.
    const persist = (): Promise<boolean> => {
      document.documentElement.dataset['asked'] = 'yes';
      return Promise.resolve(false);
    };
    Object.defineProperty(navigator, 'storage', { value: { persist } });
  });
  await tablets.register(manager, 'Forgetful');
  await says(manager.page, /^The browser has not promised to remember this/);
  expect(await manager.page.evaluate(() => document.documentElement.dataset['asked'])).toBe('yes');

  await manager.page.evaluate(() => localStorage.clear());
  await manager.page.reload();
  await manager.page.getByText('Is this a shared tablet?').click();
  await says(manager.page, /^Its browser has forgotten it/);
  await app.shoot(manager.page, 'shared-tablet-forgotten');
});

test('a key that is held on the pad of a tablet enters one digit, and Enter that is held presses no button again', async () => {
  const name = newName('Duda');
  await tablets.newWaiter(name, tabletPin);
  const page = await tablets.registerAtPage('Cold pass');
  await press(page, 'Sign out and show the names');
  await press(page, name);
  const pad = page.getByRole('group', { name: `Tablet PIN of ${name}` });
  await pad.waitFor();
  const holdKey = async (key: string): Promise<void> => {
    for (let repeats = 0; repeats < 12; repeats++) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  await holdKey('4');
  await pad.getByText('1 of 4').waitFor();
  await pad.getByRole('button', { name: '5', exact: true }).focus();
  await holdKey('Enter');
  await pad.getByText('2 of 4').waitFor();
  expect(await page.getByText(/^Wrong tablet PIN/).count()).toBe(0);
});
