import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, misfitsOf, textFaultsOf } from '@comanda/testing/page-checks';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { Page } from 'playwright-core';
import { optionScreens } from './option-screens.ts';
import { pixScreens } from './pix-screens.ts';
import { accountScreens, guestScreens, paymentScreens } from './screens.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

/** A phone at 200% zoom. WCAG 1.4.10 requires that pages work at 320 px without horizontal scrolling. */
const zoomed = { viewport: { width: 320, height: 568 }, language: 'en' } as const;
const looks = {
  zoomed,
  phone: { viewport: { width: 360, height: 640 }, language: 'en' },
  dark: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', language: 'en' },
  'phone in Portuguese': { viewport: { width: 390, height: 844 }, language: 'pt-BR' },
  'zoomed in Portuguese': { ...zoomed, language: 'pt-BR' },
} as const;
/** A tablet and a desktop. The account pages always have a single column, so they aren't checked at these sizes. */
const wider = {
  tablet: { viewport: { width: 820, height: 1180 }, language: 'en' },
  desktop: { viewport: { width: 1280, height: 800 }, language: 'en' },
} as const;
/** A phone at 200% zoom whose window is only 195 px wide. */
const narrow = { 'at-195': { viewport: { width: 195, height: 844 }, language: 'en' } } as const;
const measure = async (page: Page): Promise<string[]> => [
  ...(await misfitsOf(page)),
  ...(await textFaultsOf(page)).filter((fault) => isWide(page) || fault.startsWith('outside')),
];
/** Returns true if the window is at least 320 px wide. Narrower windows may break a word. */
const isWide = (page: Page): boolean => (page.viewportSize()?.width ?? 0) >= 320;

/** Lists elements that have no visible edge in forced-colours mode. */
async function edgelessOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.button, .icon-button, .chip, .dish-add, .basket-button, .field-input, .remark, .tag, .pad-error, .countdown-bar, .reset-who, .pin-payment-wait, .choose-refusal, .option-group, .option-group-state, .option-group-note:not(:empty), .option-mark',
      ),
    ]
      .filter((element) => {
        const { borderTopWidth, outlineStyle } = getComputedStyle(element);
        return borderTopWidth === '0px' && outlineStyle === 'none';
      })
      .map((element) => `no edge: ${element.className}`),
  );
}

describe.each([
  { app: 'guest', screens: { ...guestScreens, ...pixScreens, ...optionScreens }, looks: { ...looks, ...wider } },
  { app: 'account', screens: { ...paymentScreens, ...accountScreens }, looks: { ...looks, ...narrow } },
])('every page in $app fits and has no axe violations', ({ screens, looks: all }) => {
  test.each(Object.entries(screens))('%s', async (name, { state, path, open, ready }) => {
    const page = await stand.show(state, path, zoomed);
    await open?.(page);
    await page.locator(ready).first().waitFor();
    const { check, found } = checkScreens(page, { looks: all, shoot: stand.shoot, name: 'guest', measure });
    await check(name.replaceAll(' ', '-'));
    expect([...found, ...(await edgelessOf(page))]).toEqual([]);
  });
});
