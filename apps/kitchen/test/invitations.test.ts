import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { checkScreens } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp, type KitchenApp } from './support/kitchen-app.ts';
import { longName, looks as allLooks, withoutAxe } from './support/looks.ts';
import { openManager, pin, usersOf } from './support/manager-page.ts';
import { bottomOf, phone, press, says } from './support/page.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('invitations');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** A manager invites somebody at the page, and reads the link. */
async function invite(name: string, options: BrowserContextOptions = {}) {
  const manager = await openManager(app, 'people', options);
  const { page, enterPin, dialog } = manager;
  expectErrors(page, /status of 401 .*\/invitations$/);
  const email = `${name.toLowerCase()}-${randomUUID()}@example.test`;
  await press(page, 'Invite');
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('E-mail').fill(email);
  await press(form, 'Make the link');
  await says(dialog, `You invite ${name} as waiter.`);
  await enterPin(pin);
  const panel = page.getByRole('region', { name: `The link for ${name}` });
  await panel.getByRole('img', { name: `QR code of the link for ${name}` }).waitFor();
  const url = new URL((await panel.locator('code').textContent()) ?? '');
  return { ...manager, email, panel, hash: url.hash };
}
/** The page that the link leads to, on a phone of its own. */
async function openLink(hash: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await app.newScreen({ ...phone, ...options });
  await page.goto(`${app.url}/kitchen${hash}`);
  return page;
}

test('when a manager invites somebody, then the link lets them choose a password, once, and they are at work', async () => {
  const { page, email, panel, hash } = await invite('Rui');
  await app.shoot(page, 'invitation-link');
  await says(page.getByRole('article', { name: 'Rui' }), /invited until/);
  await press(panel, 'Done');
  expect(await page.content()).not.toContain(hash);

  const rui = await openLink(hash);
  expectErrors(rui, /status of (401|422) .*\/auth\/invitation/);
  await says(rui, 'Welcome, Rui');
  await says(rui, email);
  expect(rui.url()).not.toContain('invitation');
  await app.shoot(rui, 'invitation');
  await rui.getByLabel('Choose a password').fill('password123');
  await press(rui, 'Save and sign in');
  await rui.getByRole('alert').waitFor();
  await rui.getByLabel('Choose a password').fill('farofa-violao-mesa-7');
  await press(rui, 'Save and sign in');
  await rui.getByRole('navigation').first().waitFor();
  expect((await usersOf(app)).find((user) => user.email === email)).toMatchObject({
    status: 'active',
    must_change_password: false,
  });

  const again = await openLink(hash, { locale: 'pt-BR', colorScheme: 'dark' });
  expectErrors(again, /status of 401 .*\/auth\/invitation$/);
  await says(again, 'Este link não funciona mais');
  await app.shoot(again, 'invitation-used');
  await press(again, 'Ir para o login');
  await again.getByLabel('Senha').waitFor();
});

test('when a second link is opened in the same tab, then the page is for its owner only, and the address has neither', async () => {
  const [first, second] = [await invite('Lia'), await invite('Gil')];
  const page = await openLink(first.hash);
  await says(page, 'Welcome, Lia');
  await page.getByLabel('Choose a password').fill('farofa-violao-mesa-7');

  await page.evaluate((hash) => (location.hash = hash), second.hash);

  await says(page, 'Welcome, Gil');
  expect(await page.getByLabel('Choose a password').inputValue()).toBe('');
  await until(() => Promise.resolve(!page.url().includes('invitation')), { what: 'the address without the link' });
});

test('when the pages of an invitation are shown, then axe finds nothing, and all of it fits', async () => {
  const looks = { light: { ...phone, colorScheme: 'light' }, dark: { ...phone, colorScheme: 'dark' } } as const;
  const { page, hash } = await invite('Caio', looks.light);
  const panel = checkScreens(page, { looks, shoot: app.shoot, name: 'invitation-link' });
  await panel.check('panel');
  const guest = await openLink(hash, looks.light);
  await guest.getByLabel('Choose a password').waitFor();
  const invited = checkScreens(guest, { looks, shoot: app.shoot, name: 'invitation' });
  await invited.check('accept');
  expect([...panel.found, ...invited.found]).toEqual([]);
});

test('when somebody has the longest name and e-mail, then the invitation and its link show all of it, and the consent its end', async () => {
  const { page, pad, enterPin } = await openManager(app, 'people', allLooks['at-195']);
  expectErrors(page, /status of 401 .*\/invitations$/);
  const link = checkScreens(page, { looks: allLooks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  await press(page, 'Invite');
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('Name').fill(longName);
  await form.getByLabel('E-mail').fill(`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.test`);
  await press(form, 'Make the link');
  await pad.waitFor();
  await link.check('invite-consent');
  await says(page, /^You invite Maria Aparecida .*… as waiter\.$/);
  await page.setViewportSize(allLooks.small.viewport);
  expect(await bottomOf(page.getByRole('button', { name: 'Confirm' }))).toBeLessThanOrEqual(640);
  await enterPin(pin);
  const panel = page.locator('.invitation-link');
  await panel.waitFor();
  await link.check('invite-link');
  const { hash } = new URL((await panel.locator('code').textContent()) ?? '');
  const { page: invited } = await app.newScreen(allLooks['at-195']);
  const invitation = checkScreens(invited, { looks: allLooks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  await invited.goto(`${app.url}/kitchen${hash}`);
  await invited.getByLabel('Choose a password').waitFor();
  await invitation.check('invitation');
  expect([...link.found, ...invitation.found]).toEqual([]);
});
