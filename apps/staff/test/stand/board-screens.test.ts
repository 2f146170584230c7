/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { dishNamed, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { signIn } from '../support/board-page.ts';
import { phone, tablet } from '../support/page.ts';
import { rushOrders } from '../support/rush.ts';
import { onDuty, onShift, waiter } from './states.ts';

// All screens of the kitchen app: the sign-in, the start of a shift, and the board while it loads and afterwards.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

/** Lists what does not fit, such as horizontal scrolling, cut-off cards, targets below 48 px and text below 16 px. */
const misfitsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const name = (element: Element): string =>
      `${element.className} ${element.getAttribute('aria-label') ?? element.textContent}`.slice(0, 80);
    const isShown = (element: Element): boolean =>
      element.getBoundingClientRect().width > 1 && getComputedStyle(element).visibility !== 'hidden';
    const all = [...document.querySelectorAll('#app *')].filter((element) => isShown(element));
    const targets = all.filter((element) => element.matches('button, input, a'));
    const bars = document.querySelector('.app-menu-list') ? '' : '.board-top, '; // An open menu extends beyond its bar.
    const cards = all.filter((element) => element.matches(`${bars}.ticket, .board-bottom, .ticket-head, .tool`));
    return [
      ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
      ...targets
        .filter((element) => {
          // A dish's button is as large as its whole row, because the row can be tapped.
          const { width, height } = (element.closest('.ticket-item') ?? element).getBoundingClientRect();
          const isInLowHead = element.matches('.board-dense .ticket-position'); // as high as its header, 44 px
          const least = isInLowHead ? 43.5 : 47.5;
          return width < least || height < least;
        })
        .map((element) => `small: ${name(element)}`),
      ...cards
        .filter(
          (element) => element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
        )
        .map((element) => `cut: ${name(element)}`),
      ...all
        .filter((element) => element.childElementCount === 0 && element.textContent !== '')
        .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 16)
        .map((element) => `small letters: ${name(element)}`),
    ];
  });

/** Creates orders in all statuses. One has a word that is wider than a card. */
function ordersInAllStatuses() {
  const [first, second, third, ...others] = rushOrders(8);
  if (!first || !second || !third) throw new Error('There are 27 tickets.');
  const remarks = `Supercalifragilistic${'x'.repeat(60)} and more words that wrap at the end of the line`;
  const long = newOrder({
    id: 90,
    table: '9',
    items: [{ dish: dishNamed('Picanha na brasa'), quantity: 3, remarks }, 'Pudim de leite'],
  });
  return [nextOrder(first, ['preparing', 'preparing', 'ready']), nextOrder(second, 'ready'), third, ...others, long];
}

const looks = {
  // A tablet with text at twice the size.
  zoomed: { viewport: { width: 640, height: 400 }, language: 'en' },
  tablet: { viewport: { width: 1280, height: 800 }, language: 'en' },
  portrait: { viewport: { width: 800, height: 1280 }, language: 'en' },
  phone: { viewport: { width: 360, height: 740 }, language: 'pt-BR' },
  wall: { viewport: { width: 1920, height: 1080 }, language: 'pt-BR' },
} as const;
/** Lists what does not fit, after the board has measured and moved its cards for the new size. */
async function misfitsOfBoard(page: Page): Promise<string[]> {
  let misfits: string[] = [];
  const fits = async (): Promise<boolean> => (misfits = await misfitsOf(page)).length === 0;
  await until(fits, { what: 'the cards', timeoutMs: 5_000 }).catch(() => undefined);
  return misfits;
}
/** Lists buttons and cards without a visible edge, and unreadable remarks, in forced-colours mode. */
async function bareWhenForced(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const bare = await page.evaluate(() => {
    const edges = [...document.querySelectorAll('.tool, .ticket, .ticket-bump, .ticket-allergies')].filter(
      (element) => {
        const { borderTopWidth, outlineStyle } = getComputedStyle(element);
        return borderTopWidth === '0px' && outlineStyle === 'none';
      },
    );
    const remarks = [...document.querySelectorAll('.ticket mark')].filter((mark) => {
      const { color, backgroundColor } = getComputedStyle(mark);
      return color === backgroundColor;
    });
    return [...edges, ...remarks].map((element) => element.className || element.tagName);
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return bare;
}
const email = { email: 'waiter@comanda.test', password: 'mesa-farofa-violao' };

test('every screen of the board fits and has no axe violations', async () => {
  const orders = ordersInAllStatuses();
  const answers = { updateOrder: never, updateOrderItem: never, getOrder: never };
  const page = await stand.show(onDuty({ orders, answers }), '#/board', looks.zoomed);
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'board', measure: misfitsOfBoard });
  await page.locator('.shift-check').nth(4).waitFor();
  await check('start');
  await page.locator('button.shift-start').click();
  await page.locator('.ticket').nth(2).waitFor();
  await check('board');
  expect(await page.locator('.ticket mark').count()).toBeGreaterThan(0);
  expect(await bareWhenForced(page)).toEqual([]);
  await page.locator('.ticket-position').first().click();
  await check('back');
  await page.keyboard.press('Escape');
  for (const [index, drawer] of ['all-day', 'recall', 'sold-out'].entries()) {
    await page.locator('.board-tools .tool').nth(index).click();
    await page.locator('.drawer').waitFor();
    if (drawer === 'sold-out') await page.locator('.switch').nth(3).waitFor();
    await check(drawer);
    await page.keyboard.press('Escape');
  }
  await page.locator('.app-menu > button').click();
  await check('menu');
  await page.locator('.app-menu-list button').first().click();
  await page.locator('.drawer .legend').waitFor();
  await check('legend');
  await page.keyboard.press('Escape');
  await page.locator('.ticket-bump').first().click();
  await page.locator('.tool-undo').waitFor();
  await check('undo');
  await page.locator('.board-tools .tool').nth(1).click();
  await page.locator('.recalls li').first().waitFor();
  await check('recalled');
  expect(found).toEqual([]);
});

describe('the sign-in', () => {
  const answers = { login: { access_token: '' } as never, me: { must_change_password: false } as never };
  const signedOut = onDuty({ who: null, signsIn: waiter, answers });

  test("opens the waiters' pages on a phone and the board on a tablet", async () => {
    const page = await stand.show(signedOut, '', phone);
    await signIn(page, email);
    await page.getByRole('navigation', { name: 'Waiter' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/board';
    });
    const start = page.locator('button.shift-start');
    await start.waitFor();
    await page.evaluate(() => history.replaceState(null, '', location.pathname + location.search));
    await page.reload();
    await signIn(page, email);
    await start.waitFor();

    await stand.show(signedOut, '', tablet);
    await signIn(page, email);
    await start.waitFor();
    await page.getByRole('link', { name: /^Waiter/ }).click();
    await page.getByRole('navigation', { name: 'Waiter' }).waitFor();
  });

  test('opens the board once, even if its script arrives after the sign-in', async () => {
    const arrival = Promise.withResolvers<void>();
    await stand.page.route('**/board-screen-*.js', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    const page = await stand.show(signedOut, '#/board', tablet);
    await signIn(page, email);
    await page.getByText('Loading…').waitFor();
    arrival.resolve();
    await page.locator('button.shift-start').waitFor();
    await page.unrouteAll();
    const loaded = (await stand.calls('listOrders')).map(({ input }) => input['status']);
    expect(loaded).toEqual(['received,preparing,ready', 'cancelled']);
  });

  test.each([
    { width: 360, height: 640 },
    { width: 1_280, height: 800 },
  ])('is centred on a screen $width px wide and needs no scrolling', async (viewport) => {
    const page = await stand.show(signedOut, '', { viewport });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const { box, root } = await page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const { left, right, top, bottom } = document.querySelector('.sign-in')?.getBoundingClientRect() ?? new DOMRect();
      return { box: { left, right, top, bottom }, root: { scrollHeight, clientHeight } };
    });
    expect(root.scrollHeight).toBe(root.clientHeight);
    expect(Math.abs(box.left - (viewport.width - box.right))).toBeLessThan(2);
    expect(Math.abs(box.top - (viewport.height - box.bottom))).toBeLessThan(2);
  });
});

test('the drawing and texts of an empty board are centred', async () => {
  const page = await stand.show(onShift(), '#/board', tablet);
  await page.locator('.board-empty h2').waitFor();
  await page
    .getByText(/^Live since/)
    .last()
    .waitFor();
  const boxes = await page
    .locator('.board-empty > *')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
  expect(boxes.length).toBe(4);
  for (const [index, box] of boxes.entries()) {
    expect(Math.abs(box.left + box.width / 2 - 640)).toBeLessThan(2);
    expect(box.top).toBeGreaterThanOrEqual(boxes[index - 1]?.bottom ?? 200);
  }
});

test('a board does not look empty while it loads the orders', async () => {
  const page = await stand.show(onShift({ answers: { listOrders: never } }), '#/board', tablet);
  await page.getByText('Loading orders…').waitFor();
  expect(await page.locator('.board-counts').count()).toBe(0);
  await stand.answer({ listOrders: [] });
  await page.locator('.board-counts', { hasText: '0 open' }).waitFor();
});
