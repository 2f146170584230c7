/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, textFaultsOf, textsOutsideOf } from '@comanda/testing/page-checks';
import { minutesAgo, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import type { Locator } from 'playwright-core';
import { bump } from '../support/board-page.ts';
import { longName } from '../support/looks.ts';
import { phone, press, says, smallPhone, tablet, tapTwice } from '../support/page.ts';
import { enterDigits, tabletPin } from '../support/tablet.ts';
import { manager, onDuty, onShift } from './states.ts';

// Shared tablets: the list of names, the tablet PIN, and the Screens page.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const device = { 'comanda.kitchen.tablet': JSON.stringify({ credential: 'pass.secret', name: 'Kitchen pass' }) };
const register = 'Register this device';
const newTablet = (id: string, name: string) =>
  ({
    id,
    name,
    registered_at: minutesAgo(60),
    registered_by: { id: 1, name: 'Marta' },
    last_used_at: null,
    last_used_by: null,
  }) as const;
/** Returns the state of a tablet that lists these names. The first person can sign in. */
function atNames(names: readonly string[], { answers, ...more }: Partial<State> = {}): State {
  const people = names.map((name, index) => ({ id: index + 6, name }));
  const first = { userId: 6, role: 'waiter', name: names[0] ?? '' } as const;
  const readTablet = { name: 'Kitchen pass', people };
  return onDuty({ who: null, signsIn: first, device, ...more, answers: { readTablet, ...answers } });
}
const tokens = { access_token: '' } as never;
const wrong = (left: number) => fails('tablet_pin_invalid', { members: { attempts_remaining: left } });
/** Returns the state for the Screens page, on which a manager registers tablets. */
const atScreens = ({ answers, ...more }: Partial<State> = {}): State =>
  onDuty({ who: manager, ...more, answers: { listScreens: [], listTablets: [], ...answers } });
const registered = { tablet: newTablet('new', 'Kitchen pass'), tablet_credential: 'new.secret' };

describe('the tablet PIN', () => {
  const blocked = (until: string | null) => fails('tablet_pin_blocked', { members: { blocked_until: until } });

  test.each([
    { response: wrong(1), text: 'Wrong tablet PIN. 1 try left.' },
    { response: blocked(minutesAgo(-15)), text: /^Too many wrong tablet PINs\. Try again at \d\d:\d\d/ },
    { response: blocked(null), text: 'Too many wrong tablet PINs. This PIN is now blocked here.' },
  ])('shows why it is rejected: $text', async ({ response, text }) => {
    const page = await stand.show(atNames(['Rui'], { answers: { signInOnTablet: response } }), '', tablet);
    await press(page, 'Rui');
    await enterDigits(page, 'Tablet PIN of Rui', '4827');
    await says(page, text);
    await press(page, 'Sign in with e-mail and password');
    await page.getByLabel('E-mail').waitFor();
  });

  test('is no longer requested on a removed tablet', async () => {
    const answers = { signInOnTablet: fails('tablet_invalid') };
    const page = await stand.show(atNames(['Lia'], { answers }), '', tablet);
    await press(page, 'Lia');
    await enterDigits(page, 'Tablet PIN of Lia', tabletPin);
    await says(page, 'This device is no longer a registered tablet.');
    await page.getByLabel('E-mail').waitFor();
    await page.reload();
    await page.getByLabel('E-mail').waitFor();
    expect(await page.getByText('Who are you?').count()).toBe(0);
  });

  test('gets only one digit from a key that is held down', async () => {
    const page = await stand.show(atNames(['Duda']), '', tablet);
    await press(page, 'Duda');
    const pad = page.getByRole('group', { name: 'Tablet PIN of Duda' });
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
    expect(await stand.calls('signInOnTablet')).toEqual([]);
  });
});

describe('the Screens page', () => {
  test('keeps a tablet that is registered while the list is loading', async () => {
    const state = atScreens({ answers: { listTablets: never, registerTablet: registered } });
    const page = await stand.show(state, '#/manager/screens', tablet);
    await page.getByLabel('Tablet name').fill('Kitchen pass');
    await press(page, register);
    await page.getByRole('article', { name: 'Kitchen pass', exact: true }).waitFor();
    await stand.answer({ listTablets: [newTablet('bar', 'Bar')] });
    await page.getByRole('article', { name: 'Bar', exact: true }).waitFor();
    expect(await page.getByRole('article', { name: 'Kitchen pass', exact: true }).count()).toBe(1);
  });

  test('asks the browser to remember the tablet', async () => {
    const page = await stand.show(atScreens({ answers: { registerTablet: registered } }), '#/manager/screens', tablet);
    await page.evaluate(() => {
      const persist = (): Promise<boolean> => {
        document.documentElement.dataset['asked'] = 'yes';
        return Promise.resolve(false);
      };
      Object.defineProperty(navigator, 'storage', { value: { persist } });
    });
    await page.getByLabel('Tablet name').fill('Kitchen pass');
    await press(page, register);
    await says(page, /^This browser may forget that the device is registered/);
    expect(await page.evaluate(() => document.documentElement.dataset['asked'])).toBe('yes');

    await stand.show(onDuty({ who: null }), '', tablet);
    await page.getByText('Is this a shared tablet?').click();
    await says(page, /^Its browser has forgotten it/);
  });

  test('shows the longest name in full on a phone', async () => {
    const person = { id: 6, name: longName };
    const listTablets = [{ ...newTablet('pass', 'Kitchen pass'), last_used_at: minutesAgo(1), last_used_by: person }];
    const screen = {
      screen: 'kitchen-1',
      shows: 'all_stations',
      station: null,
      build: null,
      sound: 'on',
      display: 'stays_on',
      live: true,
      on: true,
      reported_by: person,
      reported_at: minutesAgo(0),
    } as const;
    const page = await stand.show(
      atScreens({ answers: { listTablets, listScreens: [screen] } }),
      '#/manager/screens',
      phone,
    );
    await page.getByRole('article', { name: 'Kitchen pass', exact: true }).getByText('Rindfleisch').waitFor();
    await page.locator('.screens-now').getByText('Rindfleisch').first().waitFor();
    expect(await textsOutsideOf(page)).toEqual([]);
  });
});

test('a double tap on the name hands nothing over while work is unsent', async () => {
  const who = { userId: 6, role: 'waiter', name: 'Rui' } as const;
  const order = newOrder({ items: ['Feijoada'] });
  const state = onShift({ who, device, orders: [order], answers: { updateOrder: unreachable } });
  const page = await stand.show(state, '#/board', tablet);
  await bump(page, order);
  await tapTwice(page.getByRole('button', { name: 'Switch person, Rui', exact: true }));
  const asked = page.getByRole('group', { name: 'Switch with unsent work?' });
  await asked.getByRole('button', { name: 'Switch anyway', disabled: false }).waitFor();
  await stand.shoot(page, 'switch-person-unsent');
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  expect(await stand.calls('logout')).toEqual([]);
});

test('every screen on a shared tablet fits and has no axe violation', async () => {
  const looks = {
    small: { ...smallPhone, colorScheme: 'light' },
    dark: { ...phone, colorScheme: 'dark' },
    light: { ...tablet, colorScheme: 'light' },
  } as const;
  const { check, found } = checkScreens(stand.page, { looks, shoot: stand.shoot, name: 'tablet' });
  const long = 'Maria Aparecida do Nascimento Albuquerque';
  const listTablets = [newTablet('pass', 'Kitchen pass, left of the oven')];
  const page = await stand.show(atScreens({ device, answers: { listTablets } }), '#/manager/screens', smallPhone);
  await page.getByRole('button', { name: 'Switch person, Marta' }).waitFor();
  await page.locator('.tablet-card').waitFor();
  await check('manager');
  const answers = { signInOnTablet: { turns: [wrong(4), tokens] } };
  await stand.show(atNames([long, 'Bia', 'Davi', 'Eva'], { answers }), '#/board', smallPhone);
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
  await page.evaluate(() => {
    location.hash = '#/waiter/ready';
  });
  await page.locator('.waiter-head').waitFor();
  await check('waiter');
  expect(found).toEqual([]);
});

test('the longest name leaves room for the other names and the keys', async () => {
  const state = atNames([longName, 'Bia'], { answers: { signInOnTablet: tokens } });
  const page = await stand.show(state, '#/board', phone);
  const name = page.locator('.tablet-people button', { hasText: 'Rindfleisch' });
  expect((await name.boundingBox())?.height).toBeLessThan(100);
  await name.click();
  const zero = await page.locator('.pin-pad').getByRole('button', { name: '0', exact: true }).boundingBox();
  expect((zero?.y ?? 844) + (zero?.height ?? 0)).toBeLessThanOrEqual(844);
  await enterDigits(page, `Tablet PIN of ${longName}`, tabletPin);
  await press(page, 'Menu');
  await page.locator('.app-menu-list').waitFor();
  expect(await textFaultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await press(page.getByRole('main'), 'Português');
  await press(page, 'Menu');
  await press(page, 'PIN do tablet');
  await page.setViewportSize({ width: 195, height: 844 });
  const close = await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).boundingBox();
  expect((close?.x ?? 195) + (close?.width ?? 0)).toBeLessThanOrEqual(195);
});

/** Lists the parts of the bar whose text overlaps the part after it. */
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

test.each([1200, 768])('the Portuguese bar on a board %i px wide fits on a shared tablet', async (width) => {
  const who = { userId: 6, role: 'waiter', name: 'Bartolomeu 1a2b' } as const;
  const look = { viewport: { width, height: 1000 }, language: 'pt-BR' } as const;
  const page = await stand.show(onShift({ who, device }), '#/board', look);
  await page.getByRole('button', { name: `Trocar de pessoa, ${who.name}` }).waitFor();
  await page.locator('.tool-alarm').waitFor();
  expect(await overlapsIn(page.locator('.board-top'))).toEqual([]);
  const menu = await page.locator('.board-top .app-menu').boundingBox();
  expect((menu?.x ?? width) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
  // The line must have room for the message that orders are still loading.
  const state = await page.locator('.board-top .state-line').boundingBox();
  expect(state?.width).toBeGreaterThan(80);
});
