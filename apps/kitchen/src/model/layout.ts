/** A ticket, or the part of it that one column shows. */
export type Card<T> = {
  ticket: T;
  /** The index of the first item shown, and one more than that of the last. */
  from: number;
  to: number;
  isContinued: boolean;
};
export type Page<T> = { columns: Card<T>[][] };
type Options<T> = {
  tickets: readonly T[];
  columnCount: number;
  /** In pixels. */
  columnHeight: number;
  gap: number;
  /** The height of a card that shows these items of a ticket. */
  heightOf: (ticket: T, from: number, to: number) => number;
  itemCount: (ticket: T) => number;
};

/** A column holds at most so many cards, so that each stays readable from afar and has a position digit. */
const maxCardsInColumn = 2;

/**
 * Lays out tickets in their order: down, then right, then on the next page. Two tickets share a column if both fit. A ticket
 * that is higher than a column goes on in the next column; a card shows at least one item.
 */
export function layOut<T>(options: Options<T>): Page<T>[] {
  const { tickets, columnCount, columnHeight, gap, heightOf, itemCount } = options;
  const columns: Card<T>[][] = [];
  let free = 0;
  for (const ticket of tickets) {
    let from = 0;
    do {
      const to = lastThatFits(from);
      const height = heightOf(ticket, from, to);
      const column = columns.at(-1);
      const fits = column !== undefined && column.length < maxCardsInColumn && height + gap <= free;
      const card = { ticket, from, to, isContinued: from > 0 };
      if (fits) {
        column.push(card);
        free -= height + gap;
      } else {
        columns.push([card]);
        free = columnHeight - height;
      }
      from = to;
    } while (from < itemCount(ticket));

    function lastThatFits(first: number): number {
      let to = itemCount(ticket);
      while (to > first + 1 && heightOf(ticket, first, to) > columnHeight) to -= 1;
      return to;
    }
  }
  const pages: Page<T>[] = [];
  for (let at = 0; at < columns.length; at += columnCount) pages.push({ columns: columns.slice(at, at + columnCount) });
  return pages;
}
