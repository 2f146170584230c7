import type { BoardCard } from '../model/board.ts';

/** Sizes of a card in pixels; the CSS has the same numbers as custom properties of the board. */
export type Sizes = {
  width: number;
  header: number;
  strip: number;
  row: number;
  bump: number;
  /** Font sizes. */
  dish: number;
  remark: number;
  /** The gutter and the quantity to the left of the name, with paddings. */
  lead: number;
};
export const tabletSizes = (width: number): Sizes => ({
  width,
  header: 64,
  strip: 64,
  row: 56,
  bump: 72,
  dish: 24,
  remark: 20,
  lead: 92,
});
export const wallSizes = (width: number): Sizes => ({
  width,
  header: 76,
  strip: 76,
  row: 60,
  bump: 72,
  dish: 28,
  remark: 23,
  lead: 108,
});

let context: CanvasRenderingContext2D | null | undefined;

/** How many lines a text takes, as the browser wraps it: word by word. */
function linesOf(text: string, font: string, width: number): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return 1;
  context.font = font;
  const space = context.measureText(' ').width;
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    const needed = context.measureText(word).width;
    if (used > 0 && used + space + needed > width) {
      lines += 1;
      used = 0;
    }
    // A word longer than the line is broken into as many lines as it needs.
    lines += Math.floor(needed / width);
    used += (used > 0 ? space : 0) + (needed % width);
  }
  return lines;
}

/** The height of a card with the items `from` to `to` of its ticket, never less than what the browser makes of it. */
export function cardHeight(card: BoardCard, sizes: Sizes, { from, to }: { from: number; to: number }): number {
  const { ticket, look, changes } = card;
  const textWidth = sizes.width - sizes.lead - 12;
  const strips = from > 0 ? 0 : (ticket.allergies === null ? 0 : 1) + (changes.length > 0 ? 1 : 0);
  const rows = ticket.items.slice(from, to).reduce((sum, item) => {
    const name = linesOf(item.name, `600 ${sizes.dish}px Inter`, textWidth) * sizes.dish * 1.17;
    const remark =
      item.remarks.trim() === ''
        ? 0
        : linesOf(item.remarks, `700 ${sizes.remark}px Inter`, textWidth - 20) * sizes.remark * 1.25 + 16;
    return sum + Math.max(sizes.row, Math.ceil(name + remark) + 20);
  }, 0);
  const allergyLines =
    ticket.allergies === null || from > 0 ? 0 : linesOf(ticket.allergies, '800 28px Inter', sizes.width - 90) - 1;
  const isLast = to === ticket.items.length;
  return (
    sizes.header +
    strips * (sizes.strip + 12) +
    allergyLines * 32 +
    rows +
    (isLast || look === 'kept' ? sizes.bump : 36)
  );
}
