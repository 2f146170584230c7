import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { caller, created } from '@comanda/testing/call';
import { tokenFor } from '@comanda/testing/step-up-calls';
import type { StaffApp } from './staff-app.ts';
import { openManager, password, pin, type ManagerPage } from './manager-page.ts';
import { press, says, tablet } from './page.ts';

export const tabletPin = '7391';

/** Returns functions for tests of shared tablets. */
export function tabletsOf(app: StaffApp) {
  const consent = async (key: string) => ({ 'x-step-up-token': await tokenFor(app.manager, key) });
  const { gatewayUrl } = app.stack;
  const anyone = caller(gatewayUrl);
  return {
    /** Creates a waiter with a password, and with the tablet PIN `chosen` if it is given. */
    newWaiter: async (name: string, chosen?: string): Promise<{ id: number; email: string; password: string }> => {
      const body = { name, email: `${randomUUID()}@example.test`, role: 'waiter' };
      const invited = created(
        await app.manager('POST', '/invitations', { body, headers: await consent('user.manage') }),
      );
      const { invitation_token } = invited;
      created(await anyone('POST', '/auth/invitation/acceptance', { body: { invitation_token, password } }));
      const { body: pair } = await anyone('POST', '/auth/login', { body: { email: body.email, password } });
      if (chosen !== undefined)
        await caller(gatewayUrl, { token: pair.access_token })('PUT', '/auth/tablet-pin', {
          body: { password, tablet_pin: chosen },
        });
      return { id: invited.user.id, email: body.email, password };
    },
    /** Opens a device and registers it as a tablet on the Screens page. */
    registerAtPage: async (name: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const manager = await openManager(app, 'screens', { ...tablet, ...options });
      await register(manager, name);
      return manager.page;
    },
  };
}

/** Registers the device on the Screens page. */
async function register({ page, enterPin, dialog }: ManagerPage, name: string): Promise<void> {
  expectErrors(page, /status of 401 .*\/(tablets|auth\/tablet|auth\/tablet\/login)$/);
  expectErrors(page, /status of (403|429) .*\/auth\/tablet\/login$/);
  const form = page.getByRole('form', { name: 'Register this device' });
  await form.getByLabel('Tablet name').fill(name);
  await press(form, 'Register this device');
  await says(dialog, `You’re registering this device as the tablet ${name}.`);
  await enterPin(pin);
  await page.getByRole('article', { name, exact: true }).waitFor();
}

/** Presses these digits on the PIN pad, one after the other. */
export async function enterDigits(page: Page, label: string | RegExp, digits: string): Promise<void> {
  const pad = page.getByRole('group', { name: label });
  await pad.and(page.locator('[aria-busy=false]')).waitFor();
  for (const digit of digits) await press(pad, digit);
}
