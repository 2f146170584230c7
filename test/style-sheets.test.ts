import { describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statementsOf } from '@comanda/testing/oldest-browser';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');

type Declaration = { property: string; value: string };
/** Yields all declarations outside print, where ink is black and paper white. */
function* declarationsOf(css: string): Generator<Declaration> {
  for (const { head, body } of statementsOf(css)) {
    const [property = '', ...value] = head.split(':');
    if (body === null) yield { property: property.trim(), value: value.join(':').trim() };
    else if (!head.startsWith('@media print')) yield* declarationsOf(body);
  }
}
/** Returns the length in px; of a length that grows with the window, the largest. */
const px = (length: string): string =>
  (length.match(/[\d.]+(?:px|rem)/g)?.at(-1) ?? '').replace(
    /^([\d.]+)rem$/,
    (_all, rem: string) => `${Number(rem) * 16}px`,
  );
const tokens = [...declarationsOf(read('packages/ui/src/tokens.css'))].filter(({ property }) =>
  /^--(?:space|radius|size)-/.test(property),
);
/** Returns the lengths of the tokens whose names start so. */
const lengthsOf = (kind: string): Set<string> =>
  new Set(tokens.filter(({ property }) => property.startsWith(kind)).map(({ value }) => px(value)));
const kinds = [
  {
    properties:
      /^(?:padding|margin|inset|top|right|bottom|left|gap|row-gap|column-gap|scroll-(?:margin|padding))(?:-|$)/,
    lengths: lengthsOf('--space-'),
  },
  { properties: /^border(?:-\w+)*-radius$/, lengths: lengthsOf('--radius-') },
  { properties: /^font(?:-size)?$/, lengths: lengthsOf('--size-') },
];
/** Lists colours that no token names, and lengths that equal a token. */
function strayValuesOf(css: string): string[] {
  return [...declarationsOf(css)]
    .filter(({ property, value }) => {
      const lengths = kinds.find(({ properties }) => properties.test(property))?.lengths;
      const sizes = property === 'font' ? (value.split('/')[0] ?? '') : value; // The rest is the height of a line.
      const isColour = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|light-dark)a?\(/i.test(value);
      return (
        isColour || (sizes.match(/(?<![\w.])[\d.]+(?:px|rem)\b/g) ?? []).some((length) => lengths?.has(px(length)))
      );
    })
    .map(({ property, value }) => `${property}: ${value}`);
}

/** Lists the conditions on the window's width. A part's look depends on its own room, which `@container` or `auto-fit` follows. */
const widthsIn = (css: string): string[] =>
  [...statementsOf(css)].flatMap(({ head, body }) => [
    ...(/^@media\b.*\bwidth\b/s.test(head) ? [head] : []),
    ...(body !== null && head.startsWith('@') ? widthsIn(body) : []),
  ]);
/**
 * The conditions for what is as large as the window: zoom on walls, dialogs, and an app's frame, which the oldest browsers show
 * too.
 */
const frames: Readonly<Record<string, string[]>> = {
  'apps/guest/src/menu/menu-page.css': ['@media (min-width: 1100px)'],
  'apps/guest/src/order/dish-page.css': ['@media (min-width: 900px)'],
  'apps/guest/src/order/order-dock.css': ['@media (max-width: 1099px)', '@media (min-width: 1100px)'],
  'apps/staff/src/app.css': ['@media (width >= 2880px)'],
  'apps/staff/src/manager/manager-screen.css': ['@media (width >= 900px)'],
  'apps/staff/src/shift/shift-start.css': [
    '@media (width >= 1600px)',
    '@media (width >= 2880px)',
    '@media (width >= 900px) and (height < 820px)',
  ],
  'apps/staff/src/tablet/switch-person.css': ['@media (width < 1400px)', '@media (width < 900px)'],
  'packages/ui/src/dialog.css': ['@media (min-width: 600px)'],
  'packages/ui/src/tokens.css': ['@media screen and (min-width: 2880px)'],
};
/** The tokens themselves, and the page for browsers that know no custom properties. */
const plain = new Set(
  ['tokens.css', 'slate.css', 'status.css', 'not-started.css'].map((file) => join('packages/ui/src', file)),
);
const all = ['apps/guest/src', 'apps/staff/src', 'packages/ui/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => join(folder, file)),
);
const sheets = all.filter((file) => !plain.has(file));

describe('style sheets', () => {
  test.each([
    ['a { color: #fff; }', ['color: #fff']],
    ['a { border: 1px solid rgb(0 0 0 / 0.5); }', ['border: 1px solid rgb(0 0 0 / 0.5)']],
    ['a { padding: 0 12px; }', ['padding: 0 12px']],
    ['@media (width < 9px) { a { margin: -8px 3px; } }', ['margin: -8px 3px']],
    [
      'a { border-radius: 20px; } b { font: 600 1rem / 2rem serif; }',
      ['border-radius: 20px', 'font: 600 1rem / 2rem serif'],
    ],
    ['a { padding: 5px var(--space-1); width: 12px; background: var(--card); }', []],
    ['@media print { a { color: #000; } }', []],
  ])('that use %s have the stray values %j', (css, stray) => {
    expect(strayValuesOf(css)).toEqual(stray);
  });
  test.each([
    ['@media (max-width: 300px) { a { color: red; } }', ['@media (max-width: 300px)']],
    [
      '@supports (zoom: 1) { @media print and (300px < width) { a { color: red; } } }',
      ['@media print and (300px < width)'],
    ],
    ['@container (width > 300px) { a { color: red; } } @media (height < 300px) { a { width: 9px; } }', []],
  ])('that use %s ask for the width of the window in %j', (css, found) => {
    expect(widthsIn(css)).toEqual(found);
  });
  test.each(all)("don't ask for the window's width: %s", (file) => {
    expect(widthsIn(read(file))).toEqual(frames[file] ?? []);
  });
  test.each(sheets)('take their colours, spaces, radii and sizes from tokens: %s', (file) => {
    expect(strayValuesOf(read(file))).toEqual([]);
  });
});
