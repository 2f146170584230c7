import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { language } from '@comanda/ui/language.ts';
import { type CardSize, bestColumns, fittingColumns, wallWidth } from '../device/columns.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import type { DrawerName } from './drawers.tsx';
import { type Card, type Page, layOut } from './layout.ts';
import { useCardHeights } from './use-card-heights.tsx';
import { useCardSize, useHighTickets } from './use-card-size.ts';
import { useSteadyLayout } from './use-steady-layout.ts';

const backToFirstPageMs = 15_000;

type Options = { session: BoardSession; main: RefObject<HTMLElement | null>; drawer: DrawerName | null };
export type Layout = ReturnType<typeof useLayout>;

/** Lays out the cards on pages, and returns the current page. */
export function useLayout({ session, main, drawer }: Options) {
  const { board, device } = session;
  const { station, columns, whole } = device.settings;
  const isKeptWhole = whole.value === 'yes';
  const cards = board.cards.value;
  const size = useSize(main);
  const { hasHigh, noteCut } = useHighTickets(cards);
  const cardSize = useCardSize({
    chosen: device.settings.size.value,
    room: size,
    ticketCount: cards.length,
    hasHigh,
  });
  const shape = shapeOf(size, { chosen: columns.value, drawer, cardSize, hasHigh });
  const { isScrolled, isWall, isDense, columnCount, columnWidth, gap } = shape;
  const columnShape = isScrolled || size.width === 0 ? null : [columnWidth, isWall, isDense, language.value].join();
  const { isOfThisShape, hasHeight, heightOf, hiddenColumn } = useCardHeights({ session, cards, columnShape });
  const pages = useMemo(() => {
    // When cards scroll, each is as high as its content.
    if (isScrolled) return [cards.map((card): Card<BoardCard> => ({ ...wholeCard, ticket: card, to: itemsOf(card) }))];
    const tickets = cards.filter(hasHeight);
    return layOut({ tickets, columnCount, columnHeight: size.height, gap, isKeptWhole, heightOf, itemCount: itemsOf });
  }, [cards, isScrolled, columnCount, size.height, gap, isKeptWhole, hasHeight, heightOf]);

  useEffect(() => noteCut(pages), [noteCut, pages]);
  const [wantedPage, setPage] = useState(0);
  const pageAt = Math.min(wantedPage, Math.max(0, pages.length - 1));
  const room = [size.width, size.height, columnWidth, columnCount, isScrolled];
  // After the columns have changed their shape, all cards move as soon as the last one is measured. This needs no pause.
  const geometry = [pageAt, ...room, station.value, isOfThisShape].join();
  const page = useSteadyLayout({ fresh: pages, pageAt, geometry, container: main });
  useEffect(() => {
    if (pageAt === 0) return undefined;
    const timer = setTimeout(() => setPage(0), backToFirstPageMs);
    return () => clearTimeout(timer);
  }, [pageAt]);
  return {
    ...shape,
    ...notOn(page, cards, pageAt),
    page,
    pageAt,
    pageCount: pages.length,
    turnPage: (by: number): void => setPage((pageAt + by + pages.length) % pages.length),
    hiddenColumn,
  };
}

const wholeCard = { from: 0, column: 0, top: 0, height: 0, isCut: false };
const itemsOf = ({ ticket }: BoardCard): number => ticket.items.length;

/** Returns true if the page shows the ticket's last dish. */
export const showsEnd = (page: Page<BoardCard>, id: number): boolean =>
  page.some(({ ticket: { ticket }, to }) => ticket.id === id && to === ticket.items.length);

/** Returns the ids of the page's tickets, those that continue on the next page, and the cards on earlier and later pages. */
function notOn(page: Page<BoardCard>, cards: readonly BoardCard[], pageAt: number) {
  const ids = [...new Set(page.map(({ ticket }) => ticket.ticket.id))];
  const isHidden = ({ ticket }: BoardCard): boolean => !ids.includes(ticket.id);
  const firstShown = cards.findIndex(({ ticket }) => ticket.id === ids[0]);
  const older = pageAt === 0 ? [] : cards.slice(0, Math.max(0, firstShown)).filter(isHidden);
  const goingOn = cards.filter(({ ticket }) => ids.includes(ticket.id) && !showsEnd(page, ticket.id));
  return { ids, goingOn, older, more: cards.filter((card) => isHidden(card) && !older.includes(card)) };
}

const minDrawerWidth = 340;
/** The width of All-day beside the tickets of a tablet, without the edge of 12 px that it takes from the board. */
const stripWidth = 188;

type ShapeOptions = { chosen: number | null; drawer: DrawerName | null; cardSize: CardSize; hasHigh: boolean };
/** Divides the available space into columns. On a phone, or with large text, the cards scroll instead. */
function shapeOf({ width, height }: { width: number; height: number }, options: ShapeOptions) {
  const { chosen, drawer, cardSize, hasHigh } = options;
  const isWall = width >= wallWidth;
  const isScrolled = width < 640 || height < 400;
  const isStrip = drawer === 'all_day' && !isWall && !isScrolled;
  const isDense = cardSize === 'dense' && !isScrolled;
  const gap = isWall && !isDense ? 16 : 12;
  // A ticket that was cut off needs wide columns, even if its letters are small.
  const size = isDense && !hasHigh ? 'dense' : 'large';
  const room = isStrip ? width - stripWidth - gap : width;
  const allColumns = Math.min(chosen ?? bestColumns(room, size), fittingColumns(room, size));
  const columnWidth = Math.floor((room - gap * (allColumns - 1)) / allColumns);
  const shape = { isWall, isScrolled, isDense, isStrip, gap, columnWidth, columnHeight: height };
  if (drawer === null || isScrolled || isStrip) return { ...shape, columnCount: allColumns, drawerWidth: stripWidth };
  // Any other drawer needs at least this width, so it takes two narrow columns.
  const drawerColumns = allColumns > 2 && columnWidth < minDrawerWidth ? 2 : 1;
  const columnCount = Math.max(1, allColumns - drawerColumns);
  return { ...shape, columnCount, drawerWidth: drawerColumns * (columnWidth + gap) - gap };
}

/** Returns the element's inner size in pixels, and follows its changes. */
function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return undefined;
    const measure = (): void => setSize({ width: observed.clientWidth, height: observed.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
