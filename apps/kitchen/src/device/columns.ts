/** From this width on, a screen hangs on a wall and is read from three metres. */
export const wallWidth = 1_600;
/** The room between the edges of the board in a window; the same numbers as in board.css. */
export const boardWidth = (windowWidth: number): number =>
  windowWidth - 24 >= wallWidth ? windowWidth - 32 : windowWidth - 24;

const minColumnWidth = 290;
/** How many columns fit in so many pixels, so that a dish fits on a line. */
export const fittingColumns = (width: number): number => Math.max(1, Math.min(6, Math.floor(width / minColumnWidth)));
/** As many as fit; on a wall fewer, because letters are larger there. */
export const bestColumns = (width: number): number =>
  width >= wallWidth ? Math.min(6, Math.floor(width / 360)) : fittingColumns(width);
