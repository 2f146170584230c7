import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { layOut, onlyAdds, type Card, type Page } from './layout.ts';

/** A ticket as the layout sees it: the heights of the part above its dishes, of each dish, and of the part below, in pixels. */
type Ticket = { id: number; strips: number; items: number[] };
const [head, foot, goesOn] = [60, 60, 36];
const heightOf = ({ strips, items }: Ticket, from: number, to: number): number =>
  head +
  (from === 0 ? strips : 0) +
  items.slice(from, to).reduce((sum, height) => sum + height, 0) +
  (to === items.length ? foot : goesOn);
const board = {
  columnCount: 4,
  columnHeight: 700,
  gap: 12,
  isKeptWhole: false,
  heightOf,
  itemCount: ({ items }: Ticket) => items.length,
};
const layOutAll = (tickets: readonly Ticket[], look: Partial<typeof board> = {}): Page<Ticket>[] =>
  layOut({ ...board, ...look, tickets });

const ticketsOf = (maxItemHeight: number): fc.Arbitrary<Ticket[]> =>
  fc
    .array(
      fc.record({
        strips: fc.constantFrom(0, 0, 0, 60, 250),
        items: fc.array(fc.integer({ min: 44, max: maxItemHeight }), { minLength: 1, maxLength: 9 }),
      }),
      { maxLength: 40 },
    )
    .map((all) => all.map((ticket, id) => ({ id, ...ticket })));
const looks = fc.record({
  columnCount: fc.integer({ min: 1, max: 6 }),
  columnHeight: fc.integer({ min: 400, max: 1_100 }),
  gap: fc.constantFrom(12, 16),
});
const bottomOf = ({ top, height }: Card<Ticket>): number => top + height;
const property = (check: (tickets: Ticket[], look: Partial<typeof board>, pages: Page<Ticket>[]) => void): void =>
  fc.assert(fc.property(ticketsOf(300), looks, (tickets, look) => check(tickets, look, layOutAll(tickets, look))));

describe('any tickets', () => {
  test("appear with every dish once, in the tickets' order", () => {
    property((tickets, _look, pages) => {
      const shown = pages
        .flat()
        .flatMap(({ ticket, from, to }) => ticket.items.slice(from, to).map((_, at) => `${ticket.id}.${from + at}`));
      expect(shown).toEqual(tickets.flatMap(({ id, items }) => items.map((_, at) => `${id}.${at}`)));
    });
  });
  test('are laid out downwards and to the right, without overlaps and within the page', () => {
    property((_tickets, { columnCount = 0, columnHeight = 0, gap = 0 }, pages) => {
      for (const page of pages)
        for (const [at, card] of page.entries()) {
          const before = page[at - 1];
          expect(card.column).toBeLessThan(columnCount);
          expect(bottomOf(card)).toBeLessThanOrEqual(columnHeight);
          const isBelow = before?.column === card.column;
          expect(card.top).toBe(isBelow ? bottomOf(before) + gap : 0);
          expect(card.column).toBe(isBelow || !before ? (before?.column ?? 0) : before.column + 1);
        }
    });
  });
  test('fit their cards, unless a single dish is higher than a column', () => {
    property((_tickets, { columnHeight = 0 }, pages) => {
      for (const { ticket, from, to, top, height } of pages.flat()) {
        const needed = heightOf(ticket, from, to);
        if (height === needed) continue;
        expect([to - from, top, height]).toEqual([1, 0, columnHeight]);
        expect(needed).toBeGreaterThan(columnHeight);
      }
    });
  });
  /** Returns in how many parts each ticket is shown that is not higher than a column. */
  const partsOf = (tickets: readonly Ticket[], columnHeight: number, pages: readonly Page<Ticket>[]): number[] =>
    tickets
      .filter((each) => heightOf(each, 0, each.items.length) <= columnHeight)
      .map(({ id }) => pages.flat().filter((card) => card.ticket.id === id).length);
  test('stay whole unless the page shows more of them in full if some are divided in two', () => {
    property((tickets, look, pages) => {
      const [page = []] = pages;
      const [wholePage = []] = layOutAll(tickets, { ...look, isKeptWhole: true });
      const completeOn = (cards: Page<Ticket>): number =>
        cards.filter(({ ticket, to }) => to === ticket.items.length).length;
      const isDivided = partsOf(tickets, look.columnHeight ?? 0, [page]).some((parts) => parts > 1);
      expect(Math.max(0, ...partsOf(tickets, look.columnHeight ?? 0, pages))).toBeLessThanOrEqual(2);
      expect(completeOn(page)).toBeGreaterThanOrEqual(completeOn(wholePage) + (isDivided ? 1 : 0));
    });
  });
  test('do not move on a full page when another ticket arrives', () => {
    property((tickets, look, pages) => {
      const before = layOutAll(tickets.slice(0, -1), look);
      expect(pages.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    });
  });
  test('stay whole, and do not move when another ticket arrives, if that is selected', () => {
    property((tickets, look) => {
      const pages = layOutAll(tickets, { ...look, isKeptWhole: true });
      expect(partsOf(tickets, look.columnHeight ?? 0, pages).filter((parts) => parts > 1)).toEqual([]);
      const before = layOutAll(tickets.slice(0, -1), { ...look, isKeptWhole: true });
      for (const [at, page] of before.entries()) expect(onlyAdds(page, pages[at] ?? [], ({ id }) => id)).toBe(true);
    });
  });
});

test('ordinary tickets leave on average a fifth of a full page empty, including the space between cards', () => {
  const ordinary = fc.array(fc.array(fc.constantFrom(48, 48, 72, 96), { minLength: 1, maxLength: 4 }), {
    minLength: 40,
    maxLength: 40,
  });
  const shares = fc.sample(ordinary, { numRuns: 200, seed: 27 }).map((all) => {
    const [page = []] = layOutAll(all.map((items, id) => ({ id, strips: id % 6 === 2 ? 60 : 0, items })));
    return 1 - page.reduce((sum, { height }) => sum + height, 0) / (board.columnCount * board.columnHeight);
  });
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThan(0.2);
});

const columnsOf = (tickets: readonly Ticket[], look: Partial<typeof board> = {}): string[] =>
  layOutAll(tickets, look).map((page) =>
    page.map(({ ticket, from, to, column }) => `${column}: ${ticket.id} ${from}-${to}`).join(', '),
  );
const ticket = (id: number, ...items: number[]): Ticket => ({ id, strips: 0, items });

describe('a ticket that does not fit below the previous one', () => {
  const first = ticket(1, 380); // takes 500 px of the column's 700 px
  const two = { columnCount: 2 };
  test('starts in the next column', () => {
    expect(columnsOf([first, ticket(2, 80, 80)])).toEqual(['0: 1 0-1, 1: 2 0-2']);
  });
  test('starts on the next page at the end of a page', () => {
    expect(columnsOf([first, ticket(2, 80, 80)], { columnCount: 1 })).toEqual(['0: 1 0-1', '0: 2 0-2']);
  });
  test.each<[string, Ticket, string[]]>([
    ['its first dish fits', ticket(2, 80, 80), ['0: 1 0-1, 0: 2 0-1, 1: 2 1-2, 1: 3 0-1']],
    ['its first dish does not fit', ticket(2, 100, 80), ['0: 1 0-1, 1: 2 0-2', '0: 3 0-1']],
    ['it has one dish only', ticket(2, 180), ['0: 1 0-1, 1: 2 0-1', '0: 3 0-1']],
  ])('is divided if that makes room for another ticket and %s', (_name, second, expected) => {
    expect(columnsOf([first, second, ticket(3, 330)], two)).toEqual(expected);
  });
  test('is divided between pages if the page has others that are divided', () => {
    const tickets = [first, ticket(2, 150, 150), ticket(3, 250), ticket(4, 40, 300)];
    expect(columnsOf(tickets, { ...two, columnHeight: 800 })).toEqual([
      '0: 1 0-1, 0: 2 0-1, 1: 2 1-2, 1: 3 0-1, 1: 4 0-1',
      '0: 4 1-2',
    ]);
  });
  test('is not divided if little is left of the column', () => {
    const tickets = [ticket(1, 500), ticket(2, 44, 44), ticket(3, 400)];
    expect(columnsOf(tickets, { ...two, columnHeight: 720 })).toEqual(['0: 1 0-1, 1: 2 0-2', '0: 3 0-1']);
  });
  test('continues over several pages if it is higher than a column', () => {
    const huge = ticket(2, 80, 500, 500, 80);
    expect(columnsOf([first, huge], two)).toEqual(['0: 1 0-1, 1: 2 0-2', '0: 2 2-4']);
  });
});
