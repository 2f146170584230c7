/** The width from which a screen hangs on a wall and is read from three metres. */
export const wallWidth = 1_600;
/** Returns the board's inner width in a window; the numbers are the same as in board.css. */
export const boardWidth = (windowWidth: number): number =>
  windowWidth - 24 >= wallWidth ? windowWidth - 32 : windowWidth - 24;

/** The sizes of letters and rows on the board; board.css has their numbers. */
export type CardSize = 'large' | 'dense';

/** So that a dish fits on a line, with the space between two columns. In pixels. */
const minColumnWidth: Readonly<Record<CardSize, number>> = { large: 290, dense: 264 };
/** On a wall letters are larger. */
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

/** What an ordinary ticket takes with the space below it, in pixels. */
const ordinaryHeight = { tablet: 360, wall: 390 };
/** How many tickets must go before a board changes back, so that its letters don't change all the time. */
const restAfter = 3;

type Room = { width: number; height: number; ticketCount: number };
/** Returns the size at which ordinary tickets fit on one page: large if possible. `before` is the board's current size. */
export function automaticSize({ width, height, ticketCount }: Room, before: CardSize): CardSize {
  const rows = height / (width >= wallWidth ? ordinaryHeight.wall : ordinaryHeight.tablet);
  const largeCount = Math.floor(bestColumns(width) * rows);
  return ticketCount > largeCount - (before === 'dense' ? restAfter : 0) ? 'dense' : 'large';
}
