import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { language } from '@comanda/ui/language.ts';
import { bestColumns, fittingColumns, wallWidth } from '../device/columns.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import { layOut, type Card, type Page } from './layout.ts';
import { useCardHeights } from './use-card-heights.tsx';
import { useSize } from './use-size.ts';
import { useSteadyLayout } from './use-steady-layout.ts';

const backToFirstPageMs = 15_000;

type Options = { session: BoardSession; main: RefObject<HTMLElement | null>; hasDrawer: boolean };
export type Layout = ReturnType<typeof useLayout>;

/** Which cards stand where, page by page, and the page that is shown. */
export function useLayout({ session, main, hasDrawer }: Options) {
  const { board, device } = session;
  const { station, columns } = device.settings;
  const cards = board.cards.value;
  const size = useSize(main);
  const shape = shapeOf(size, { chosen: columns.value, hasDrawer });
  const { isScrolled, isWall, columnCount, columnWidth, gap } = shape;
  const columnShape = isScrolled || size.width === 0 ? null : [columnWidth, isWall, language.value].join();
  const { hasHeight, heightOf, hiddenColumn } = useCardHeights({ session, cards, columnShape });
  const pages = useMemo(() => {
    // A slot that is scrolled is as high as its card.
    if (isScrolled) return [cards.map((card): Card<BoardCard> => ({ ...wholeCard, ticket: card, to: itemsOf(card) }))];
    const tickets = cards.filter(hasHeight);
    return layOut({ tickets, columnCount, columnHeight: size.height, gap, heightOf, itemCount: itemsOf });
  }, [cards, isScrolled, columnCount, size.height, gap, hasHeight, heightOf]);

  const [wantedPage, setPage] = useState(0);
  const pageAt = Math.min(wantedPage, Math.max(0, pages.length - 1));
  const geometry = [pageAt, size.width, size.height, columnCount, isScrolled, station.value].join();
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

const wholeCard = { from: 0, column: 0, top: 0, height: 0 };
const itemsOf = ({ ticket }: BoardCard): number => ticket.items.length;

/** The tickets of a page by their ids, and the cards that stand on earlier pages and on later ones. */
function notOn(page: Page<BoardCard>, cards: readonly BoardCard[], pageAt: number) {
  const ids = [...new Set(page.map(({ ticket }) => ticket.ticket.id))];
  const isHidden = ({ ticket }: BoardCard): boolean => !ids.includes(ticket.id);
  const firstShown = cards.findIndex(({ ticket }) => ticket.id === ids[0]);
  const older = pageAt === 0 ? [] : cards.slice(0, Math.max(0, firstShown)).filter(isHidden);
  return { ids, older, more: cards.filter((card) => isHidden(card) && !older.includes(card)) };
}

/** How the room is divided. On a phone, and with large letters, the cards are scrolled. */
function shapeOf(
  { width, height }: { width: number; height: number },
  { chosen, hasDrawer }: { chosen: number | null; hasDrawer: boolean },
) {
  const isWall = width >= wallWidth;
  const isScrolled = width < 640 || height < 400;
  const gap = isWall ? 16 : 12;
  const allColumns = Math.min(chosen ?? bestColumns(width), fittingColumns(width));
  const columnCount = hasDrawer && !isScrolled ? Math.max(1, allColumns - 1) : allColumns;
  const columnWidth = Math.floor((width - gap * (allColumns - 1)) / allColumns);
  return { isWall, isScrolled, gap, columnCount, columnWidth };
}
