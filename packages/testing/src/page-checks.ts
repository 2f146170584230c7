/// <reference lib="dom" />
import type { Locator, Page, ViewportSize } from 'playwright-core';

type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] };
/** The rules of axe whose result can differ between two looks of one page. */
const rulesOf = {
  colours: ['color-contrast', 'link-in-text-block'],
  messages: ['label-content-name-mismatch', 'landmark-unique', 'button-name', 'link-name', 'label', 'empty-heading'],
};
/**
 * Returns the accessibility problems that axe finds on the page, each in a short form. With `of`, checks only what another
 * colour scheme or another language can change, which takes less time.
 */
async function violationsOf(page: Page, of?: keyof typeof rulesOf): Promise<string[]> {
  // The stand serves axe's half a megabyte as a file, because the browser stores the compiled code of files.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ url: '/axe.js' });
  const { violations } = await page.evaluate(
    async (only) => {
      const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } };
      return axe.run({
        runOnly: only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        // These options save time: the pages have no frames or media, and the tests need only the violations.
        iframes: false,
        preload: false,
        selectors: false,
        resultTypes: ['violations'],
        rules: only === null && {
          // Turned off, because this rule also reports targets that are below a fixed bar but can be scrolled into view.
          // `smallTargetsOf` measures targets instead.
          'target-size': { enabled: false },
          // Checks WCAG 2.5.3, for people who control the page with their voice and say the label that they see. axe considers this
          // rule experimental and turns it off by default.
          'label-content-name-mismatch': { enabled: true },
        },
      });
    },
    of ? { type: 'rule', values: rulesOf[of] } : null,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
/**
 * Returns the properties in these style sheets that the browser doesn't know. This finds misspelt properties, which have no
 * effect.
 */
export function unknownPropertiesOf(page: Page, css: string): Promise<string[]> {
  const rules = css.replaceAll(/@font-face\s*\{[^}]*\}/g, ''); // Descriptors in @font-face are not properties.
  const names = new Set([...rules.matchAll(/[{;]\s*([a-z][a-z-]*)\s*:[^{};]*(?=[;}])/g)].map(([, name = '']) => name));
  return page.evaluate((all) => all.filter((name) => !CSS.supports(name, 'inherit')), [...names]);
}
/** Returns how far the page can be scrolled sideways, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
/** Returns the amounts of money and the short words (up to ten letters) on the page that are broken across two lines. */
export const brokenWordsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isHidden = (element: Element | null): boolean =>
      element !== null && (element.clientHeight === 1 || isHidden(element.parentElement));
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const broken: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (isHidden(node.parentElement)) continue; // This text is only for screen readers.
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(
        /\S{1,3}\u00a0[\d.,]+|(?<!\S)\p{L}{2,10}(?![^\s,.;:!?])/gu,
      )) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(word);
      }
    }
    return broken;
  });
/**
 * Returns the texts that extend beyond the window, or beyond the nearest box with a background or a border. Texts in lists that
 * scroll sideways are ignored.
 */
export const textsOutsideOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isMeantToBeCut = (element: Element | null): boolean => {
      if (element === null || element.matches('main, form, body')) return false;
      const { overflowX, textOverflow } = getComputedStyle(element);
      const scrolls = /auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
      const isSpoken = element.clientHeight === 1; // This text is only for screen readers.
      return isSpoken || scrolls || textOverflow === 'ellipsis' || isMeantToBeCut(element.parentElement);
    };
    /** Returns the nearest element around this one that is visible as a box: it has a background or a border. */
    const boxOf = (element: Element): Element => {
      const { display, borderTopWidth, backgroundColor } = getComputedStyle(element);
      const isBox = display !== 'inline' && (borderTopWidth !== '0px' || backgroundColor !== 'rgba(0, 0, 0, 0)');
      return isBox || element.parentElement === null ? element : boxOf(element.parentElement);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { parentElement: parent, nodeValue } = node;
      const isShown = parent?.checkVisibility({ visibilityProperty: true }) ?? false;
      if (!parent || !isShown || nodeValue?.trim() === '' || isMeantToBeCut(parent)) continue;
      range.selectNodeContents(node);
      const { left, right } = boxOf(parent).getBoundingClientRect();
      const isOut = [...range.getClientRects()].some(
        (line) => line.width > 0 && (line.right > Math.min(right, innerWidth) + 1.5 || line.left < left - 1.5),
      );
      if (isOut) found.push(`outside: ${nodeValue?.slice(0, 60)}`);
    }
    return found;
  });
/** Returns the names of buttons and inputs that are too small for a thumb to hit. */
const smallTargetsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input')]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 0 && (width < 47.5 || height < 45.5);
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent),
  );

/** Returns what does not fit on a narrow screen, or is too small for a thumb. */
export async function misfitsOf(page: Page): Promise<string[]> {
  const small = await smallTargetsOf(page);
  // On some pages, the main element scrolls instead of the window.
  const inside = await page.evaluate(() => {
    const main = document.querySelector('main');
    return main ? main.scrollWidth - main.clientWidth : 0;
  });
  return [
    ...small.map((target) => `small: ${target}`),
    ...((await overflowOf(page)) + inside > 0 ? ['it scrolls sideways'] : []),
  ];
}
/** Returns the page's broken words, the texts outside their boxes, and whether the page scrolls sideways. */
export const textFaultsOf = async (page: Page): Promise<string[]> => [
  ...(await brokenWordsOf(page)),
  ...(await textsOutsideOf(page)),
  ...((await overflowOf(page)) > 0 ? ['it scrolls sideways'] : []),
];
/** Returns true if the complete element is in the viewport. */
export const isInView = async (element: Locator): Promise<boolean> => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
  const size = element.page().viewportSize();
  return width > 0 && x >= 0 && y >= 0 && x + width <= (size?.width ?? 0) && y + height <= (size?.height ?? 0);
};
/** Properties that can change while a page is open: the device's size, its colour scheme and the language of the messages. */
export type Look = { viewport: ViewportSize; colorScheme?: 'light' | 'dark'; language?: 'en' | 'pt-BR' };
type Looks = Readonly<Record<string, Look>>;
/** Returns these looks in English, and then in Portuguese. */
export const inBothLanguages = (looks: Looks): Looks =>
  Object.fromEntries(
    (['en', 'pt-BR'] as const).flatMap((language) =>
      Object.entries(looks).map(([name, look]) => [`${name}-${language}`, { ...look, language }]),
    ),
  );
type Screens = {
  /** The looks in which to check the page, keyed by name. The page is opened and used in the first look. */
  looks: Looks;
  /** Stores a screenshot. `picture` consists of the names of the test, the look and the screen. */
  shoot: (page: Page, picture: string) => Promise<void>;
  name: string;
  /** Returns the page's faults in one look; by default `misfitsOf`. Called for each look. */
  measure?: (page: Page) => Promise<string[]>;
  /** Returns the results of slower checks, which take twenty times as long; by default `violationsOf`. */
  examine?: typeof violationsOf;
};

/**
 * Checks each screen of a page in several looks without loading the page again, because a visit for each look would take several
 * times as long. Measures the page in each look. Examines it in the first light look, and examines only what can differ in the
 * first dark look and in the first look in another language.
 */
export function checkScreens(page: Page, screens: Screens) {
  const { looks, shoot, name, measure = misfitsOf, examine = violationsOf } = screens;
  const found: string[] = [];
  let scheme: Look['colorScheme'];
  const all = Object.entries(looks);
  const isDark = ([, { colorScheme }]: [string, Look]): boolean => colorScheme === 'dark';
  const whole = all.find((each) => !isDark(each)) ?? all[0];
  const dark = all.find(isDark);
  const translated = all.find(([, { language }]) => language !== whole?.[1].language);
  async function examined(each: [string, Look]): Promise<string[]> {
    if (each === whole) return examine(page);
    return [
      ...(each === dark ? await examine(page, 'colours') : []),
      ...(each === translated ? await examine(page, 'messages') : []),
    ];
  }
  async function check(screen: string): Promise<void> {
    for (const each of all) {
      const [of, look] = each;
      if (all.length > 1) await show(look);
      await shoot(page, `${name}-${of}-${screen}`);
      const faults = [...(await examined(each)), ...(await measure(page))];
      found.push(...faults.map((fault) => `${screen} (${of}): ${fault}`));
    }
    if (all[0] && all.length > 1) await show(all[0][1]);
  }
  async function show({ viewport, colorScheme = 'light', language }: Look): Promise<void> {
    // Each change makes the browser draw the whole page, so nothing is set that is already there.
    if (scheme !== colorScheme) await page.emulateMedia({ colorScheme });
    scheme = colorScheme;
    const { width, height } = page.viewportSize() ?? {};
    if (width !== viewport.width || height !== viewport.height) await page.setViewportSize(viewport);
    await settle(page, language);
  }
  return { check, found };
}

/** Waits until the page is drawn in its new look, after a change to this language. */
const settle = (page: Page, language: Look['language']): Promise<void> =>
  page.evaluate(async (chosen) => {
    // Leaves full screen, because a page in full screen always has the screen's size.
    if (document.fullscreenElement) await document.exitFullscreen();
    if (chosen !== undefined && chosen !== document.documentElement.lang) {
      // The page follows a change in another tab.
      localStorage.setItem('comanda.language', chosen);
      dispatchEvent(new StorageEvent('storage', { key: 'comanda.language' }));
    }
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, language);

/**
 * Presses Tab until the element with this name has the focus. @throws Error if the element never gets the focus, or the focus
 * can't be seen
 */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (!name.test(focused)) continue;
    const outlines = await page.evaluate(() => {
      const element = document.activeElement as Element;
      return [getComputedStyle(element), getComputedStyle(element, '::after')].map(
        ({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`,
      );
    });
    if (!outlines.includes('solid 3px')) throw new Error(`The focus on ${name} cannot be seen.`);
    return;
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}
