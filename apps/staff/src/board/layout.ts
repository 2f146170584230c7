/** A ticket, or the part of it that one column shows, with its slot. In pixels. */
export type Card<T> = {
  ticket: T;
  /** The index of the first item shown, and one more than that of the last. */
  from: number;
  to: number;
  column: number;
  top: number;
  height: number;
  /** Whether it needs more than the height of a column. */
  isCut: boolean;
};
export type Page<T> = readonly Card<T>[];
export type LayoutOptions<T> = {
  tickets: readonly T[];
  columnCount: number;
  columnHeight: number;
  gap: number;
  /** The height that a card needs for these items of a ticket. */
  heightOf: (ticket: T, from: number, to: number) => number;
  itemCount: (ticket: T) => number;
};
type Place = { column: number; top: number };

/** A ticket is divided for what is left of a column only if that is more than this share of the column. */
const worthFilling = 0.14;

/**
 * Cards as high as they are, in the order of the tickets, stacked from the top of each column. A ticket that does not fit below
 * the one before it fills the rest of the column with its first items and goes on in the next column, but not on the next page:
 * only a ticket that is higher than a column may be divided between pages.
 */
export function layOut<T>(options: LayoutOptions<T>): Page<T>[] {
  const pages: Card<T>[][] = [];
  let page: Card<T>[] = [];
  let next: Place = { column: 0, top: 0 };
  for (const ticket of options.tickets) {
    let cards = flow(options, ticket, next);
    if (page.length > 0 && !isOnPage(cards, options) && !isHuge(options, ticket)) {
      page = [];
      cards = flow(options, ticket, { column: 0, top: 0 });
    }
    for (const card of cards) {
      // Columns are counted on, page after page, as long as a ticket flows.
      const column = card.column % options.columnCount;
      if (page.length === 0 || (column === 0 && card.top === 0)) pages.push((page = []));
      page.push({ ...card, column });
    }
    const last = page.at(-1);
    if (last) next = { column: last.column, top: last.top + last.height + options.gap };
  }
  return pages;
}

const isOnPage = <T>(cards: readonly Card<T>[], { columnCount }: LayoutOptions<T>): boolean =>
  cards.every(({ column }) => column < columnCount);
const isHuge = <T>({ heightOf, itemCount, columnHeight }: LayoutOptions<T>, ticket: T): boolean =>
  heightOf(ticket, 0, itemCount(ticket)) > columnHeight;

/** The cards of one ticket from a place on. Each shows at least one item, even if that item is higher than the column. */
function flow<T>(options: LayoutOptions<T>, ticket: T, start: Place): Card<T>[] {
  const { columnHeight, heightOf, itemCount } = options;
  const count = itemCount(ticket);
  const cards: Card<T>[] = [];
  let { column, top } = start;
  let from = 0;
  do {
    const room = columnHeight - top;
    const to = lastFitting(options, { ticket, from, room });
    const isFresh = top === 0;
    const isWhole = to === count && heightOf(ticket, from, to) <= room;
    const isPart = isFresh || (to > from && room > columnHeight * worthFilling);
    if (isWhole || isPart) {
      const end = Math.max(to, Math.min(count, from + 1));
      const needed = heightOf(ticket, from, end);
      cards.push({ ticket, from, to: end, column, top, height: Math.min(needed, room), isCut: needed > room });
      from = end;
      if (from === count) return cards;
    }
    column += 1;
    top = 0;
  } while (from < count || cards.length === 0);
  return cards;
}

type Rest<T> = { ticket: T; from: number; room: number };
/** One more than the index of the last item that fits into the room; `from` if none does. */
function lastFitting<T>({ heightOf, itemCount }: LayoutOptions<T>, { ticket, from, room }: Rest<T>): number {
  let to = itemCount(ticket);
  while (to > from && heightOf(ticket, from, to) > room) to -= 1;
  return to;
}

/** Whether `next` only adds to what stands on the page: nothing moves, grows or goes. */
export const onlyAdds = <T>(page: Page<T>, next: Page<T>, idOf: (ticket: T) => number): boolean =>
  page.every((card) =>
    next.some(
      ({ ticket, from, to, column, top, height }) =>
        idOf(ticket) === idOf(card.ticket) &&
        from === card.from &&
        to === card.to &&
        column === card.column &&
        top === card.top &&
        height === card.height,
    ),
  );
