import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { zoomOf } from '@comanda/ui/zoom.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import { AllergiesAgain, TicketCard } from './ticket-card.tsx';
import { GoesOn } from './ticket-foot.tsx';

/** A card's measured heights in a column of this shape, in pixels. */
type Measured = {
  card: BoardCard;
  shape: string;
  whole: number;
  strips: number;
  items: readonly number[];
  foot: number;
  goesOn: number;
  /** The height of the allergies' reminder above a continuation; 0 if the ticket has no allergies. */
  again: number;
};
type Known = {
  /** The measured heights by order id. */
  measured: ReadonlyMap<number, Measured>;
  /** The cards in the last measured batch, and the shape of their column. The next batch is measured in a separate task. */
  cards: readonly BoardCard[] | null;
  shape: string;
};
type Options = {
  session: BoardSession;
  cards: readonly BoardCard[];
  /** Everything other than the card that affects heights; null if no heights are needed. */
  columnShape: string | null;
};

/** The number of cards to measure at once: about one page. More in one task would cause a noticeable delay. */
const batchSize = 12;

/**
 * Measures each card's height once, in a hidden column. A new or changed card is measured before the next paint. If there are
 * many, only the first batch is; the others follow in later tasks.
 */
export function useCardHeights({ session, cards, columnShape }: Options) {
  const shape = `${columnShape},${useFontCount()}`;
  const [known, setKnown] = useState<Known>({ measured: new Map(), cards: null, shape });
  const isNeeded = columnShape !== null;
  const isResting = known.cards === cards && known.shape === shape;
  const { stale, batch } = useMemo(() => {
    const all = isNeeded ? cards.filter((card) => !isMeasured(known, card, shape)) : [];
    return { stale: all, batch: isResting ? [] : all.slice(0, batchSize) };
  }, [isNeeded, isResting, cards, known, shape]);
  const column = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!column.current) return;
    const before = cards.flatMap(({ ticket }) => known.measured.get(ticket.id) ?? []);
    const all = [...before, ...measure(column.current, batch, shape)];
    setKnown({ measured: new Map(all.map((each) => [each.card.ticket.id, each])), cards, shape });
  }, [batch, cards, known.measured, shape]);
  const isWaiting = isResting && stale.length > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setKnown((before) => ({ ...before, cards: null })));
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const { measured } = known;
  return {
    /** True if no height is left over from a column of another shape. Cards without a height don't count. */
    isOfThisShape: cards.every(({ ticket }) => (measured.get(ticket.id)?.shape ?? shape) === shape),
    /** Returns true if a height is known, even if the card has changed since it was measured. */
    hasHeight: useCallback(({ ticket }: BoardCard): boolean => measured.has(ticket.id), [measured]),
    /** Returns the height in pixels that a card needs for its ticket's items `from` to `to`. */
    heightOf: useCallback(
      ({ ticket }: BoardCard, from: number, to: number): number => heightOfPart(measured.get(ticket.id), from, to),
      [measured],
    ),
    hiddenColumn: batch.length > 0 && (
      <div class="board-measure" ref={column}>
        {batch.map((card) => (
          <TicketCard key={card.ticket.id} {...{ session, card, ...front }} to={card.ticket.items.length} />
        ))}
        <AllergiesAgain text="" />
        <GoesOn />
      </div>
    ),
  };
}

const front = {
  from: 0,
  isCut: false,
  position: null,
  isChosen: false,
  isTurned: false,
  onTurn: (): void => {},
  Back: null,
};

const isMeasured = ({ measured }: Known, card: BoardCard, shape: string): boolean => {
  const found = measured.get(card.ticket.id);
  return found?.card === card && found.shape === shape;
};

function measure(column: Element, cards: readonly BoardCard[], shape: string): Measured[] {
  const zoom = zoomOf(column);
  const heightOf = (element: Element | null | undefined): number =>
    (element?.getBoundingClientRect().height ?? 0) / zoom;
  const goesOn = heightOf(column.lastElementChild);
  const again = heightOf(column.lastElementChild?.previousElementSibling);
  return cards.map((card, at) => {
    const element = column.children[at];
    const parts = [...(element?.children ?? [])]; // header, strips, list of items, footer
    return {
      card,
      shape,
      whole: heightOf(element),
      strips: sum(parts.slice(1, -2).map(heightOf)),
      items: [...(element?.querySelectorAll('.ticket-item') ?? [])].map(heightOf),
      foot: heightOf(parts.at(-1)),
      goesOn,
      again: card.ticket.allergies === null || card.look === 'kept' ? 0 : again,
    };
  });
}

function heightOfPart(measured: Measured | undefined, from: number, to: number): number {
  if (!measured) return 0;
  const { whole, strips, items, foot, goesOn, again } = measured;
  const others = sum(items.slice(0, from)) + sum(items.slice(to));
  return Math.ceil(whole - others - (from > 0 ? strips - again : 0) - (to < items.length ? foot - goesOn : 0));
}

const sum = (heights: readonly number[]): number => heights.reduce((total, height) => total + height, 0);

/** Returns how many times fonts were loaded. Text changes its size then, so heights must be measured again. */
function useFontCount(): number {
  const [count, setCount] = useState(0);
  useLayoutEffect(() => {
    const add = (): void => setCount((before) => before + 1);
    document.fonts.addEventListener('loadingdone', add);
    return () => document.fonts.removeEventListener('loadingdone', add);
  }, []);
  return count;
}
