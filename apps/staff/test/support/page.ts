import type { Locator, Page } from 'playwright-core';

/** A page or a part of a page. */
type Scope = Page | Locator;

/** Presses the button with this name. */
export const press = (scope: Scope, name: string | RegExp): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click();
/** Clicks the middle of this button twice without a pause. The second click hits whatever is there by then. */
export const tapTwice = (button: Locator): Promise<void> =>
  button.evaluate(async (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2 };
    for (let times = 0; times < 2; times++) {
      const hit = document.elementFromPoint(at.clientX, at.clientY)?.closest('button:enabled');
      hit?.dispatchEvent(new MouseEvent('click', { ...at, detail: times + 1, bubbles: true, cancelable: true }));
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
  });
/** Waits until the page shows this text. */
export const says = (scope: Scope, text: string | RegExp): Promise<void> => scope.getByText(text).waitFor();
/** Opens another page of the app without a reload, for example `waiter/tables`. */
export const goTo = (page: Page, to: string): Promise<unknown> =>
  page.evaluate((hash) => (location.hash = hash), `#/${to}`);
/** Returns the distance from the page's top to the element's bottom, in px. */
export async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0);
}
/** Returns the URL for Node, which cannot resolve the browser's host name for this machine. */
export const reachable = (url: string): string => url.replace('comanda.test', '127.0.0.1');

export const phone = { viewport: { width: 390, height: 844 } };
export const smallPhone = { viewport: { width: 360, height: 640 } };
export const tablet = { viewport: { width: 1280, height: 800 } };
