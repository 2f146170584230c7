/** A ticket, or the part of it that one column shows, with its position in pixels. */
export type Card<T> = {
  ticket: T;
  /** The index of the first item shown, and the index after the last one. */
  from: number;
  to: number;
  column: number;
  top: number;
  height: number;
  /** True if the card needs more than a column's height, so it is cut off. */
  isCut: boolean;
};
export type Page<T> = readonly Card<T>[];
export type LayoutOptions<T> = {
  tickets: readonly T[];
  columnCount: number;
  columnHeight: number;
  gap: number;
  /** Returns the height that a card needs for these items of a ticket. */
  heightOf: (ticket: T, from: number, to: number) => number;
  itemCount: (ticket: T) => number;
};
type Place = { column: number; top: number };

/** A ticket is divided to fill the rest of a column only if the rest is more than this fraction of the column's height. */
const worthFilling = 0.14;

/**
 * Lays out cards in the tickets' order, each as high as needed, stacked from the top of each column. A ticket that doesn't fit
 * below the previous one fills the rest of the column with its first items and continues in the next column, but not on the next
 * page. Only a ticket that is higher than a column may be divided between pages.
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
      // For a ticket on several pages, columns are counted from its first page on.
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

/**
 * Returns one ticket's cards, beginning at `start`. Each shows at least one item, even if that item is higher than the column.
 */
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
/** Returns the index after the last item that fits into the remaining height; `from` if none does. */
function lastFitting<T>({ heightOf, itemCount }: LayoutOptions<T>, { ticket, from, room }: Rest<T>): number {
  let to = itemCount(ticket);
  while (to > from && heightOf(ticket, from, to) > room) to -= 1;
  return to;
}

/** Returns true if `next` only adds to the page: nothing moves, grows or disappears. */
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
