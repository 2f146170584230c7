import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { minutesAgo, quietAnswers } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import { pin } from '@comanda/testing/step-up-calls';
import type { Page } from 'playwright-core';
import { longName, looks, withoutAxe } from '../support/looks.ts';
import { bottomOf, press, says } from '../support/page.ts';
import { afterPin, managing, newUser } from './manager-states.ts';
import { onDuty } from './states.ts';

// The invitation link, on the manager's page and on the invited person's phone.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const longEmail = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.test`;
const invited = (name: string, email = `${name.toLowerCase()}@example.test`): State => ({
  who: null,
  answers: {
    ...quietAnswers,
    readInvitation: { name, email, role: 'waiter', may_set_tablet_pin: true, ends_at: minutesAgo(-600) } as never,
  },
});

test('the dialog and the link show the longest name and email in full', async () => {
  const user = newUser(9, { name: longName, email: longEmail, status: 'disabled', invited_until: minutesAgo(-600) });
  const token = `9.${'t'.repeat(43)}`;
  const made = { user, invitation_token: token, url: `https://comanda.example/kitchen#/invitation/${token}` };
  const { turns, stepUp } = afterPin(made);
  const state = managing({ answers: { inviteUser: { turns }, stepUp } });
  const page = await stand.show(state, '#/manager/people', looks['at-195']);
  const { check, found } = checkScreens(page, {
    looks,
    shoot: stand.shoot,
    name: 'invite',
    measure: withoutAxe.measure,
  });
  await press(page, 'Invite');
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('Name').fill(longName);
  await form.getByLabel('E-mail').fill(longEmail);
  await press(form, 'Create link');
  await page.locator('.pin-pad[aria-busy=false]').waitFor();
  await check('consent');
  await says(page, /^You’re inviting Maria Aparecida .*… as a waiter\.$/);
  await page.setViewportSize(looks.small.viewport);
  expect(await bottomOf(page.getByRole('button', { name: 'Confirm' }))).toBeLessThanOrEqual(640);
  await page.keyboard.type(pin);
  await press(page, 'Confirm');
  await page.locator('.invitation-link').waitFor();
  await check('link');
  expect(found).toEqual([]);
});

test("the invited person's page shows the longest name and email in full", async () => {
  const page = await stand.show(invited(longName, longEmail), '#/invitation/9.token', looks['at-195']);
  const { check, found } = checkScreens(page, {
    looks,
    shoot: stand.shoot,
    name: 'invited',
    measure: withoutAxe.measure,
  });
  await page.getByLabel('Choose a password').waitFor();
  await check('accept');
  expect(found).toEqual([]);
});

describe("a waiter's invitation", () => {
  const accepting = (answers: State['answers']): State => {
    const state = invited('Lia');
    const lia = { userId: 9, role: 'waiter', name: 'Lia' } as const;
    return {
      ...state,
      signsIn: lia,
      answers: { ...onDuty().answers, ...state.answers, login: {} as never, ...answers },
    };
  };
  const fill = async (page: Page, tabletPin: string): Promise<void> => {
    await page.getByLabel('Choose a password').fill('farofa-violao-mesa-7');
    await page.getByLabel('Tablet PIN').fill(tabletPin);
    await press(page, 'Save and sign in');
  };

  test('sets the tablet PIN together with the password', async () => {
    const page = await stand.show(accepting({ acceptInvitation: {} as never }), '#/invitation/9.token', looks.phone);
    await fill(page, '739');
    await says(page, 'Enter four digits, or leave it empty.');
    await fill(page, '7391');
    await page.locator('.sign-in').waitFor({ state: 'detached' });
    const input = { invitation_token: '9.token', password: 'farofa-violao-mesa-7', tablet_pin: '7391' };
    expect((await stand.calls('acceptInvitation')).map((call) => call.input)).toEqual([input]);
  });

  test('needs no tablet PIN', async () => {
    const page = await stand.show(accepting({ acceptInvitation: {} as never }), '#/invitation/9.token', looks.phone);
    await fill(page, '');
    await page.locator('.sign-in').waitFor({ state: 'detached' });
    const [call] = await stand.calls('acceptInvitation');
    expect(call?.input).toEqual({ invitation_token: '9.token', password: 'farofa-violao-mesa-7' });
  });

  test('says that a PIN is too easy to guess, and keeps the password', async () => {
    const page = await stand.show(accepting({ acceptInvitation: fails('tablet_pin_weak') }), '#/invitation/9.token');
    await fill(page, '1234');
    await says(page, /This PIN is too easy to guess/);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Choose a password').inputValue()).toBe('farofa-violao-mesa-7');
  });
});

test('a second link in the same tab replaces the first invitation', async () => {
  const page = await stand.show(invited('Lia'), '#/invitation/8.first', looks.phone);
  await says(page, 'Welcome, Lia');
  await page.getByLabel('Choose a password').fill('farofa-violao-mesa-7');
  await stand.answer(invited('Gil').answers);
  await page.evaluate(() => (location.hash = '#/invitation/9.second'));
  await says(page, 'Welcome, Gil');
  expect(await page.getByLabel('Choose a password').inputValue()).toBe('');
  await page.waitForURL((url) => !url.href.includes('invitation'));
});

test('the page for a used link says in Portuguese that the link no longer works', async () => {
  const used = { who: null, answers: { ...quietAnswers, readInvitation: fails('invitation_invalid') } };
  const look = { ...looks.phone, colorScheme: 'dark', language: 'pt-BR' } as const;
  const page = await stand.show(used, '#/invitation/8.used', look);
  await says(page, 'Este link não funciona mais');
  await press(page, 'Ir para o login');
  await page.getByLabel('Senha').waitFor();
});
