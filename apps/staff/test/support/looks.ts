import type { Page } from 'playwright-core';
import { brokenWordsOf, overflowOf, textsOutsideOf } from '@comanda/testing/page-checks';
import { phone, smallPhone, tablet } from './page.ts';

export const longWord = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesschnitzel';
/** The longest possible name of a person. */
export const longName = `Maria Aparecida ${longWord} `.repeat(3).slice(0, 255).trim();

export const looks = {
  'at-195': { viewport: { width: 195, height: 844 } },
  small: { viewport: { width: 320, height: 640 } },
  phone,
  tablet: { viewport: { width: 768, height: 1024 } },
  desk: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
} as const;
/** The looks of the pages for money on waiters' devices. */
export const moneyLooks = {
  small: { ...smallPhone, language: 'en' },
  dark: { ...phone, colorScheme: 'dark', language: 'en' },
  tablet: { ...tablet, language: 'en' },
  Portuguese: { ...phone, language: 'pt-BR' },
} as const;
/** The looks of the pages for dishes on waiters' devices. */
export const dishLooks = {
  phone: { ...phone, language: 'en' },
  tablet: { ...looks.tablet, language: 'en' },
  small: { ...smallPhone, colorScheme: 'dark', language: 'pt-BR' },
  wide: { viewport: { width: 1024, height: 768 }, language: 'pt-BR' },
  'at-195': { ...looks['at-195'], language: 'pt-BR' },
} as const;
/** Lists texts that are cut off or broken, on the page and in its scrollable parts. */
async function faultsOf(page: Page): Promise<string[]> {
  const inside = await page.evaluate(() =>
    [...document.querySelectorAll('main, form, .manager-scroll, .dialog-body')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `cut: ${each.tagName} ${each.className}`),
  );
  const sideways = (await overflowOf(page)) > 0 ? ['it scrolls sideways'] : [];
  return [...(await brokenWordsOf(page)), ...(await textsOutsideOf(page)), ...inside, ...sideways];
}
/** Options for `checkScreens` that check only texts, and skip axe's accessibility checks. */
export const withoutAxe = { measure: faultsOf, examine: async () => [] };
