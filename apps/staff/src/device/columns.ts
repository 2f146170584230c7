/** From this width on, a screen hangs on a wall and is read from three metres. */
export const wallWidth = 1_600;
/** The room between the edges of the board in a window; the same numbers as in board.css. */
export const boardWidth = (windowWidth: number): number =>
  windowWidth - 24 >= wallWidth ? windowWidth - 32 : windowWidth - 24;

/** The sizes of letters and rows on the board; their numbers stand in board.css. */
export type CardSize = 'large' | 'dense';

/** So that a dish fits on a line, with the space between two columns. In pixels. */
const minColumnWidth: Readonly<Record<CardSize, number>> = { large: 290, dense: 264 };
/** On a wall letters are larger. */
const minWallWidth: Readonly<Record<CardSize, number>> = { large: 360, dense: 310 };
const maxColumns = 6;

const columnsOf = (width: number, minWidth: number): number =>
  Math.max(1, Math.min(maxColumns, Math.floor(width / minWidth)));
/** How many columns fit in so many pixels. */
export const fittingColumns = (width: number, size: CardSize = 'large'): number =>
  columnsOf(width, minColumnWidth[size]);
/** As many as fit; on a wall fewer. */
export const bestColumns = (width: number, size: CardSize = 'large'): number =>
  columnsOf(width, (width >= wallWidth ? minWallWidth : minColumnWidth)[size]);

/** What an ordinary ticket takes with the space below it, in pixels. */
const ordinaryHeight = { tablet: 360, wall: 390 };
/** A board does not change back before so many tickets have gone, so that its letters do not change all the time. */
const restAfter = 3;

type Room = { width: number; height: number; ticketCount: number };
/** The size at which ordinary tickets fit on one page: large as long as that goes. `before`: the size that the board has. */
export function automaticSize({ width, height, ticketCount }: Room, before: CardSize): CardSize {
  const rows = height / (width >= wallWidth ? ordinaryHeight.wall : ordinaryHeight.tablet);
  const largeCount = Math.floor(bestColumns(width) * rows);
  return ticketCount > largeCount - (before === 'dense' ? restAfter : 0) ? 'dense' : 'large';
}
