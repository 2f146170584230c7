/** A ticket, or the part of it that one column shows, with its slot. In pixels. */
export type Card<T> = {
  ticket: T;
  /** The index of the first item shown, and one more than that of the last. */
  from: number;
  to: number;
  column: number;
  top: number;
  height: number;
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
type Part<T> = Pick<Card<T>, 'ticket' | 'from' | 'to'> & { needed: number };

/** A column holds at most two cards, so that each stays readable from afar and has a position digit. */
export function layOut<T>(options: LayoutOptions<T>): Page<T>[] {
  const { tickets, columnCount, columnHeight, gap, heightOf, itemCount } = options;
  const columns: Part<T>[][] = [];
  for (const ticket of tickets)
    for (const part of partsOf(ticket)) {
      const [first, second] = columns.at(-1) ?? [];
      if (first && !second && first.needed + gap + part.needed <= columnHeight) columns.at(-1)?.push(part);
      else columns.push([part]);
    }
  const pages: Page<T>[] = [];
  for (let at = 0; at < columns.length; at += columnCount)
    pages.push(columns.slice(at, at + columnCount).flatMap((column, index) => slotsIn(column, index)));
  return pages;

  /** A ticket that is higher than a column goes on in the next one; each part shows at least one item. */
  function partsOf(ticket: T): Part<T>[] {
    const parts: Part<T>[] = [];
    let from = 0;
    do {
      let to = itemCount(ticket);
      while (to > from + 1 && heightOf(ticket, from, to) > columnHeight) to -= 1;
      parts.push({ ticket, from, to, needed: heightOf(ticket, from, to) });
      from = to;
    } while (from < itemCount(ticket));
    return parts;
  }

  /** Halves, unless one needs more. A card alone leaves room for the next, which then moves nothing. */
  function slotsIn([first, second]: readonly Part<T>[], column: number): Card<T>[] {
    if (!first) return [];
    const half = Math.floor((columnHeight - gap) / 2);
    const rest = (needed: number): number => columnHeight - gap - needed;
    const { needed } = first;
    let height = Math.max(half, needed);
    if (second && second.needed > half) height = rest(second.needed);
    else if (!second && rest(needed) < heightOf(first.ticket, 0, 1)) height = columnHeight;
    const card = ({ ticket, from, to }: Part<T>) => ({ ticket, from, to, column });
    return [
      { ...card(first), top: 0, height },
      ...(second ? [{ ...card(second), top: height + gap, height: rest(height) }] : []),
    ];
  }
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
