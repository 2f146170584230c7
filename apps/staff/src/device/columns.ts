/** The width in pixels from which a screen is treated as a wall screen, which is read from three metres away. */
export const wallWidth = 1_600;

/** The size of the cards' text and rows. board.css has the values. */
export type CardSize = 'large' | 'dense';

/** The narrowest columns in which a dish fits on a line, including the gap to the next column, in pixels. */
const minColumnWidth: Readonly<Record<CardSize, number>> = { large: 290, dense: 248 };
/** The same for wall screens, whose text is larger, in pixels. */
const minWallWidth: Readonly<Record<CardSize, number>> = { large: 360, dense: 310 };
const maxColumns = 6;

const columnsOf = (width: number, minWidth: number): number =>
  Math.max(1, Math.min(maxColumns, Math.floor(width / minWidth)));
/** Returns how many columns fit in this many pixels. */
export const fittingColumns = (width: number, size: CardSize = 'large'): number =>
  columnsOf(width, minColumnWidth[size]);
/** Returns how many columns fit; fewer on a wall screen. */
export const bestColumns = (width: number, size: CardSize = 'large'): number =>
  columnsOf(width, (width >= wallWidth ? minWallWidth : minColumnWidth)[size]);

/** The height of an ordinary ticket and the gap below it, in pixels. */
const ordinaryHeight = { tablet: 360, wall: 390 };
/** How many tickets must leave before the cards become large again, so that the size doesn't change all the time. */
const restAfter = 3;

type Room = { width: number; height: number; ticketCount: number };
/** Returns the size at which ordinary tickets fit on one page: large if possible. `before` is the board's current size. */
export function automaticSize({ width, height, ticketCount }: Room, before: CardSize): CardSize {
  const rows = height / (width >= wallWidth ? ordinaryHeight.wall : ordinaryHeight.tablet);
  const largeCount = Math.floor(bestColumns(width) * rows);
  return ticketCount > largeCount - (before === 'dense' ? restAfter : 0) ? 'dense' : 'large';
}
