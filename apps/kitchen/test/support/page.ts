import type { Locator, Page } from 'playwright-core';
import { overflowOf, smallTargetsOf, violationsOf } from '@comanda/testing/page-checks';
import type { KitchenApp } from './kitchen-app.ts';

/** A page, or a part of it. */
type Scope = Page | Locator;

/** Presses the button with this name. */
export const press = (scope: Scope, name: string | RegExp): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click();
/** Waits until the page says this. */
export const says = (scope: Scope, text: string | RegExp): Promise<void> => scope.getByText(text).waitFor();
/** Only the browser knows the name that is not localhost. */
export const reachable = (url: string): string => url.replace('comanda.test', '127.0.0.1');

export const phone = { viewport: { width: 390, height: 844 } };
export const smallPhone = { viewport: { width: 360, height: 640 } };
export const tablet = { viewport: { width: 1280, height: 800 } };

/** Takes a picture of each screen, and gathers what axe finds on it and what is too small or does not fit. */
export function checkScreens(app: KitchenApp, page: Page, name: string) {
  const found: string[] = [];
  async function check(screen: string): Promise<void> {
    await app.shoot(page, `${name}-${screen}`);
    const problems = [...(await violationsOf(page)), ...(await smallTargetsOf(page)).map((each) => `small: ${each}`)];
    // The waiters' page scrolls inside.
    const inside = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
    if ((await overflowOf(page)) + inside > 0) problems.push('it scrolls sideways');
    found.push(...problems.map((problem) => `${screen}: ${problem}`));
  }
  return { check, found };
}
