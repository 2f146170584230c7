import { signal } from '@preact/signals';
import type { Messages } from '../messages/en.ts';
import type { BoardCard } from '../model/board.ts';
import { cancellationText, changesText } from './card-texts.ts';
import type { Sizes } from './sizes.ts';

/** Counts up when Inter is there: until then texts have the widths of another font. */
export const fontVersion = signal(0);
const widths = new Map<string, number>();
async function waitForFont(): Promise<void> {
  await document.fonts.load('600 24px Inter');
  widths.clear();
  fontVersion.value += 1;
}
void waitForFont();

const maxRemembered = 5_000;
let context: CanvasRenderingContext2D | null | undefined;

/** The width of a text in Inter, in the size in which it is painted: small letters may stand on whole pixels. */
function widthOf(text: string, { weight, size }: Font): number {
  const font = `${weight} ${size}px Inter`;
  const key = `${font} ${text}`;
  const remembered = widths.get(key);
  if (remembered !== undefined) return remembered;
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * size * 0.6;
  context.font = font;
  const { width } = context.measureText(text);
  if (widths.size >= maxRemembered) widths.clear();
  widths.set(key, width);
  return width;
}

type Font = { weight: number; size: number; /** In em. */ tracking?: number };

/** How many lines a text takes, as the browser wraps it: word by word, and within a word that is longer than a line. */
function linesOf(text: string, font: Font, width: number): number {
  const { size, tracking = 0 } = font;
  const measure = (word: string): number => widthOf(word, font) + tracking * word.length * size;
  const space = measure(' ');
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    let needed = measure(word);
    if (used > 0 && used + space + needed > width) {
      lines += 1;
      used = 0;
    }
    // A broken line may end up to one letter early.
    const broken = width - size;
    while (needed > width) {
      lines += 1;
      needed -= broken;
    }
    used += (used > 0 ? space : 0) + needed;
  }
  return lines;
}

/** Room around texts; the same numbers as in ticket-card.css. */
const itemGap = 8;
const dishPadding = { right: 8, block: 20 };
const markPadding = { inline: 16, block: 4, gap: 6 };
const strip = { inline: 30, block: 18, icon: 46, firstLine: 24, changesLine: 24 };
const goesOn = 36;
const border = 1;

/** The height that a card needs for the items `from` to `to` of its ticket, in pixels. */
export function cardHeight(card: BoardCard, shape: Shape & { from: number; to: number }): number {
  const { sizes, from, to } = shape;
  const { ticket, look } = card;
  const rows = ticket.items.slice(from, to).reduce((sum, item) => sum + rowHeight(item, card, shape), 0);
  const isLast = to === ticket.items.length;
  const foot = isLast ? sizes.bump : goesOn;
  const strips = from > 0 || look === 'kept' ? 0 : stripsHeight(card, shape);
  return sizes.head + strips + rows + foot;
}

function rowHeight(item: BoardCard['ticket']['items'][number], { look }: BoardCard, { sizes, width }: Shape): number {
  if (look === 'kept') return keptRow;
  const isOff = item.status === 'cancelled' && look !== 'cancelled';
  const textWidth =
    width - sizes.gutter - sizes.quantity - 2 * itemGap - dishPadding.right - (isOff ? offWidth + itemGap : 0);
  const dish = { weight: 600, size: sizes.dish, tracking: -0.012 };
  const name = linesOf(item.name, dish, textWidth) * sizes['dish-line'];
  const remarks = item.remarks.trim();
  const remark =
    remarks === ''
      ? 0
      : linesOf(remarks, { weight: 700, size: sizes.remark }, textWidth - markPadding.inline) * sizes['remark-line'] +
        markPadding.block +
        markPadding.gap;
  return Math.max(sizes.row, name + remark + dishPadding.block + border);
}
type Shape = {
  sizes: Sizes;
  width: number;
  words: Messages['ticket'];
  /** `fontVersion`, so that who remembers heights measures again. */
  fonts: number;
};
/** A ticket that is kept is a small list. */
const keptRow = 30;
/** The word OFF beside a dish. */
const offWidth = 52;

function stripsHeight(card: BoardCard, { sizes, width, words }: Shape): number {
  const { ticket, look, changes } = card;
  const allergen = { weight: 800, size: sizes.allergen };
  const allergies =
    ticket.allergies === null
      ? 0
      : linesOf(ticket.allergies, allergen, width - strip.inline - strip.icon) * sizes['allergen-line'] +
        strip.firstLine +
        strip.block;
  const text = look === 'cancelled' ? cancellationText(card) : changes.length > 0 ? changesText(words, changes) : '';
  const hasTitle = look !== 'cancelled';
  const change =
    text === ''
      ? 0
      : linesOf(text, { weight: 700, size: 19 }, width - strip.inline) * strip.changesLine +
        (hasTitle ? strip.firstLine : 0) +
        strip.block;
  return allergies + change;
}
