import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, inBothLanguages } from '@comanda/testing/page-checks';
import { minutesAgo, newOrder, quietAnswers, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longName, looks, withoutAxe } from '../support/looks.ts';
import { press, says } from '../support/page.ts';
import { newDrawer } from './day-states.ts';
import { managing, newTable, newUser } from './manager-states.ts';
import { manager } from './states.ts';

// The start page of a restaurant that has no manager yet.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const code = '7K3M-9QXF-2B4N-8RTV-5WYA-C1DE-6GHJ';
const fresh = (answers: State['answers'] = {}): State => ({
  ...managing({ answers: { getSetup: { needs_first_manager: true }, login: {} as never, ...answers } }),
  who: null,
  signsIn: manager,
});
async function fill(page: Page, name = 'Marta'): Promise<void> {
  await page.getByLabel('Setup code').fill(` ${code} `);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail').fill('marta@example.com');
  await page.getByLabel('Choose a password').fill('farofa-violao-mesa-7');
  await press(page, 'Open the restaurant');
}

describe('the start page of a new restaurant', () => {
  test("creates the first manager and opens the managers' first page", async () => {
    const page = await stand.show(fresh({ createFirstManager: {} as never }), '', looks.desk);
    await fill(page);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    const input = { code, name: 'Marta', email: 'marta@example.com', password: 'farofa-violao-mesa-7' };
    expect((await stand.calls('createFirstManager')).map((call) => call.input)).toEqual([input]);
    // The response signs in: another session would stay without a device.
    expect(await stand.calls('login')).toEqual([]);
  });

  test('says why a code is rejected, and keeps what was typed', async () => {
    const page = await stand.show(fresh({ createFirstManager: fails('setup_code_invalid') }));
    await fill(page);
    await says(page.getByRole('alert'), /^Enter the newest code/);
    expect(await page.getByLabel('Setup code').inputValue()).toBe(` ${code} `);
    expect(await page.getByLabel('Choose a password').inputValue()).toBe('farofa-violao-mesa-7');
  });

  test('signs in if the manager was created but the first response was lost', async () => {
    const page = await stand.show(fresh({ createFirstManager: fails('setup_complete') }), '', looks.desk);
    await fill(page);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  });

  test('leads to the sign-in if another person was faster', async () => {
    const answers = { createFirstManager: fails('setup_complete'), login: fails('invalid_credentials') };
    const page = await stand.show(fresh(answers));
    await fill(page);
    await says(page.getByRole('alert'), 'This restaurant already has a manager.');
    await press(page, 'Go to sign-in');
    await page.getByLabel('Password').waitFor();
  });

  test('is one tap away from the sign-in', async () => {
    const page = await stand.show(fresh());
    await press(page, 'I already have a sign-in');
    await page.getByLabel('Password').waitFor();
    await press(page, 'I have a setup code');
    await page.getByLabel('Setup code').waitFor();
  });

  test('appears once the server says so, even if it could not be asked at first', async () => {
    const page = await stand.show(fresh({ getSetup: { turns: [unreachable, { needs_first_manager: true }] } }));
    await page.getByLabel('Password').waitFor();
    await page.getByLabel('Setup code').waitFor({ timeout: 10_000 });
  });

  test('fits every screen with the longest name', async () => {
    const state = fresh({ createFirstManager: fails('setup_code_invalid') });
    const page = await stand.show(state, '', looks['at-195']);
    const { check, found } = checkScreens(page, {
      looks: inBothLanguages(looks),
      shoot: stand.shoot,
      name: 'first-manager',
      measure: withoutAxe.measure,
    });
    await page.locator('.sign-in input').first().fill(code);
    await page.locator('.sign-in input').nth(1).fill(longName);
    await page.locator('.sign-in input').nth(2).fill('marta@example.com');
    await page.locator('.sign-in input').nth(3).fill('farofa');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await check('rejected');
    expect(found).toEqual([]);
  });
});

test('the sign-in does not wait for the answer about the first manager', async () => {
  const page = await stand.show({ who: null, answers: { ...quietAnswers, getSetup: never } });
  await page.getByLabel('Password').waitFor();
});

describe('the list of what a new restaurant needs', () => {
  const empty = {
    ...restaurant,
    name: 'Comanda',
    service_charge: { rate: '0.00', optional: true },
    tip_suggestions: [],
  };
  const steps = (page: Page) => page.getByRole('region', { name: 'Open your restaurant' });

  test('leads to the page of each step', async () => {
    const state = managing({ dishes: [], answers: { getRestaurant: empty } });
    const page = await stand.show(state, '#/manager/today', looks.phone);
    await says(steps(page), '0 of 9 done');
    await steps(page).getByRole('link', { name: 'Name and logo to do' }).click();
    await page.getByRole('heading', { name: 'Restaurant', exact: true }).waitFor();
  });

  test('ticks what is done', async () => {
    const state = managing({ users: [newUser(2)], tables: [newTable('1')], answers: { getRestaurant: empty } });
    const page = await stand.show(state, '#/manager/today', looks.phone);
    await says(steps(page), '3 of 9 done');
    await steps(page).getByRole('link', { name: 'Invite waiters done' }).waitFor();
  });

  test('disappears when everything is done, or if a manager hides it', async () => {
    const done = { ...restaurant, name: 'Cantina', logo: `/menu-pictures/${'a'.repeat(64)}` };
    const counted = newDrawer('main', { counted_at: minutesAgo(60) });
    const answers = { getRestaurant: done, listTablets: [{ id: 't' }] as never, listCashDrawers: [counted] };
    const state = managing({
      users: [newUser(2)],
      tables: [newTable('1')],
      orders: [newOrder({ items: ['Feijoada'] })],
      device: { 'comanda.manager.has-printed': 'yes' },
      answers,
    });
    const page = await stand.show(state, '#/manager/today', looks.phone);
    await says(page, 'No open bills.');
    expect(await steps(page).count()).toBe(0);
    await stand.show(managing(), '#/manager/today', looks.phone);
    await page.getByRole('link', { name: /change fund/ }).waitFor();
    await press(page, 'Hide this list');
    await page.reload();
    await says(page, 'No open bills.');
    expect(await steps(page).count()).toBe(0);
    // Nobody can find out later what was in the drawer, so this stays.
    await page.getByRole('link', { name: 'Count the change fund before the first order' }).click();
    await says(page, 'Not counted yet. Count the change fund before the first order: the drawer starts with it.');
    await stand.answer({ listCashDrawers: [newDrawer('main', { moved: true })] });
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('link', { name: 'Count the change fund before the first order' }).click();
    await says(page, 'Not counted yet, and cash has already moved. So the first count can’t find a difference.');
    await stand.answer({ listCashDrawers: [counted] });
    await page.getByRole('link', { name: 'Today' }).click();
    await says(page, 'No open bills.');
    expect(await page.getByRole('link', { name: /change fund/ }).count()).toBe(0);
  });
});
