/**
 * How long the board's layout stays the same after a change and after the last touch, in milliseconds, so that nothing moves
 * under a finger.
 */
export const holdMs = 400;

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
  /** True if only tickets that are higher than a column may be divided. */
  isKeptWhole: boolean;
  /** Returns the height that a card needs for these items of a ticket. */
  heightOf: (ticket: T, from: number, to: number) => number;
  itemCount: (ticket: T) => number;
};
/** The index of a ticket, and of its first item that earlier pages don't show. */
type Position = { at: number; from: number };

/** A ticket is divided to fill the rest of a column only if the rest is more than this fraction of the column's height. */
const worthFilling = 0.14;

/**
 * Lays out cards in the tickets' order, each as high as needed, stacked from the top of each column. A ticket that doesn't fit
 * below the previous one starts in the next column, so that it stays whole. Only if a page then shows more tickets in full, their
 * first items fill the rest of columns, and they continue in the next column or on the next page. A ticket that is higher than a
 * column is always divided.
 */
export function layOut<T>(options: LayoutOptions<T>): Page<T>[] {
  const pages: Page<T>[] = [];
  for (let start: Position = { at: 0, from: 0 }; start.at < options.tickets.length;) {
    const whole = fillPage(options, { start, mayDivide: false });
    const divided = options.isKeptWhole ? whole : fillPage(options, { start, mayDivide: true });
    const { page, end } = divided.end.at > whole.end.at ? divided : whole;
    pages.push(page);
    start = end;
  }
  return pages;
}

type Filling = { start: Position; mayDivide: boolean };
/** Returns a page's cards, and where the next page starts. A card shows at least one item, even if that is higher than a column. */
function fillPage<T>(options: LayoutOptions<T>, { start, mayDivide }: Filling) {
  const { tickets, columnCount, columnHeight, gap, heightOf, itemCount } = options;
  const page: Card<T>[] = [];
  let { at, from } = start;
  let [column, top] = [0, 0];
  for (let ticket = tickets[at]; ticket !== undefined && column < columnCount; ticket = tickets[at]) {
    const count = itemCount(ticket);
    const room = columnHeight - top;
    const fitting = lastFitting(options, { ticket, from, room });
    const isWhole = fitting === count && heightOf(ticket, from, fitting) <= room;
    const isPart = top === 0 || (mayDivide && fitting > from && room > columnHeight * worthFilling);
    const isPlaced = isWhole || isPart;
    const to = isPlaced ? Math.max(fitting, Math.min(count, from + 1)) : from;
    if (isPlaced) {
      const needed = heightOf(ticket, from, to);
      const height = Math.min(needed, room);
      page.push({ ticket, from, to, column, top, height, isCut: needed > room });
      top += height + gap;
    }
    if (isPlaced && to === count) {
      at += 1;
      from = 0;
    } else {
      from = to;
      column += 1;
      top = 0;
    }
  }
  return { page, end: { at, from } };
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
