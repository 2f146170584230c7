import type { Locator, Page } from 'playwright-core';

/** A page, or a part of it. */
type Scope = Page | Locator;

/** Presses the button with this name. */
export const press = (scope: Scope, name: string | RegExp): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click();
/** Clicks what stands in the middle of this, and at once what stands there then. */
export const tapTwice = (button: Locator): Promise<void> =>
  button.evaluate(async (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2 };
    for (let times = 0; times < 2; times++) {
      const hit = document.elementFromPoint(at.clientX, at.clientY)?.closest('button:enabled');
      hit?.dispatchEvent(new MouseEvent('click', { ...at, bubbles: true, cancelable: true }));
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
  });
/** Waits until the page says this. */
export const says = (scope: Scope, text: string | RegExp): Promise<void> => scope.getByText(text).waitFor();
/** How far down an element ends. In pixels. */
export async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0);
}
/** Only the browser knows the name that is not localhost. */
export const reachable = (url: string): string => url.replace('comanda.test', '127.0.0.1');

export const phone = { viewport: { width: 390, height: 844 } };
export const smallPhone = { viewport: { width: 360, height: 640 } };
export const tablet = { viewport: { width: 1280, height: 800 } };

/** What the server has now is answered when the returned function is called: until then the page has no such list. */
export async function holdList(page: Page, path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch({ url: reachable(route.request().url()) });
      await held.promise;
      return route.fulfill({ response });
    },
  );
  return held.resolve;
}
