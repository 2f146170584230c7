import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import type { StaffApp, Order } from './staff-app.ts';
import { press, tablet } from './page.ts';

export const password = 'mesa-farofa-violao';
export const pin = '739152';
const manager = { email: 'manager@comanda.test', password };
export type ManagerPage = Awaited<ReturnType<typeof openManager>>;

/** Opens the managers' screen as a signed-in manager; by default as the demo's manager on a tablet. */
export async function openManager(
  app: StaffApp,
  at: string,
  { user = manager, ...options }: BrowserContextOptions & { user?: typeof manager } = {},
) {
  const screen = await app.openAt(`manager/${at}`, user, { ...tablet, ...options });
  const { page } = screen;
  // The server rejects calls without a step-up token or with a wrong PIN, and the browser logs both.
  expectErrors(page, /status of 401 .*\/(users|users\/\d+|deposits|transaction-password-resets|stops\/\w+)$/);
  expectErrors(page, /status of (403|429) .*\/security\/step-up$/);
  const pad = page.getByRole('group', { name: 'PIN' });
  async function padIsReady(): Promise<void> {
    await pad.waitFor();
    await until(async () => (await pad.getAttribute('aria-busy')) === 'false', { what: 'the PIN pad' });
  }
  return {
    ...screen,
    goTo: (to: string): Promise<unknown> => app.goTo(page, `manager/${to}`),
    dialog: page.getByRole('dialog'),
    pad,
    padIsReady,
    enterPin: async (digits: string): Promise<void> => {
      await padIsReady();
      await page.keyboard.type(digits); // The tests for tablets tap the pad instead.
      await press(page, 'Confirm');
    },
    /** Fills in and submits the form for a new waiter. Returns the waiter's e-mail address. */
    addPerson: async (name: string): Promise<string> => {
      const email = `${name.toLowerCase()}-${randomUUID()}@example.test`;
      await press(page, 'Add person');
      const form = page.getByRole('form', { name: 'Add person' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('E-mail').fill(email);
      await form.getByLabel('Initial password').fill('uma-senha-para-comecar');
      await press(form, 'Add');
      return email;
    },
  };
}

export const usersOf = async (app: StaffApp): Promise<Order[]> =>
  (await app.manager('GET', '/users?limit=200')).body as Order[];
