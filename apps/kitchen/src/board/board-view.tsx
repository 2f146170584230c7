import type { Client } from '@comanda/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import type { Action } from '../device/keys.ts';
import { messages } from '../messages.ts';
import type { BoardCard } from '../model/board.ts';
import { layOut } from '../model/layout.ts';
import type { Card, Page } from '../model/layout.ts';
import { bestColumns, chosenColumns, fittingColumns, wallWidth } from '../settings.ts';
import type { BoardSession } from './board-session.ts';
import './board.css';
import { BottomBar } from './bottom-bar.tsx';
import { AllDay, LegendDrawer, Recall, SoldOut } from './drawers.tsx';
import type { DrawerName } from './drawers.tsx';
import { cardHeight, fontVersion } from './measure.ts';
import { Notice } from './notice.tsx';
import { printBoard } from './print.ts';
import { cssOf, tabletSizes, wallSizes } from './sizes.ts';
import { tableName } from './table-name.ts';
import { TicketCard } from './ticket-card.tsx';
import { TopBar } from './top-bar.tsx';
import { useBoardKeys } from './use-board-keys.ts';
import { useSize } from './use-size.ts';
import { useSteadyLayout } from './use-steady-layout.ts';

const backToFirstPageMs = 15_000;

type Props = { client: Client; session: BoardSession; onShift: () => void };

/** The board of one station. */
export function BoardView({ client, session, onShift }: Props) {
  const { board } = session;
  const cards = board.cards.value;
  const [drawer, setDrawer] = useState<DrawerName | null>(null);
  const [wantedPage, setPage] = useState(0);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [turnedId, setTurnedId] = useState<number | null>(null);
  const main = useRef<HTMLElement>(null);
  const size = useSize(main);
  const shape = shapeOf(size, drawer !== null);
  const { isScrolled, columnCount, columnWidth, gap, sizes } = shape;

  const words = messages().ticket;
  const fonts = fontVersion.value;
  const pages = useMemo(() => {
    // A slot that is scrolled is as high as its card.
    if (isScrolled) return [cards.map((card): Card<BoardCard> => ({ ...wholeCard, ticket: card, to: itemsOf(card) }))];
    return layOut({
      tickets: cards,
      columnCount,
      columnHeight: size.height,
      gap,
      heightOf: (card, from, to) => cardHeight(card, { sizes, width: columnWidth, from, to, words, fonts }),
      itemCount: itemsOf,
    });
  }, [cards, isScrolled, columnCount, columnWidth, size.height, gap, sizes, words, fonts]);
  const pageAt = Math.min(wantedPage, Math.max(0, pages.length - 1));
  const geometry = [pageAt, size.width, size.height, columnCount, isScrolled, board.station.value].join();
  const page = useSteadyLayout({ fresh: pages, pageAt, geometry, container: main });
  const ids = [...new Set(page.map(({ ticket }) => ticket.ticket.id))];
  const byId = new Map(cards.map((card) => [card.ticket.id, card]));
  const firstShown = cards.findIndex(({ ticket }) => ticket.id === ids[0]);
  const isHidden = ({ ticket }: BoardCard): boolean => !ids.includes(ticket.id);
  const older = pageAt === 0 ? [] : cards.slice(0, Math.max(0, firstShown)).filter(isHidden);
  const more = cards.filter((card) => isHidden(card) && !older.includes(card));

  useEffect(() => {
    if (pageAt === 0) return undefined;
    const timer = setTimeout(() => setPage(0), backToFirstPageMs);
    return () => clearTimeout(timer);
  }, [pageAt]);
  usePainted({ session, page, isScrolled, main });

  const turnPage = (by: number): void => setPage((pageAt + by + pages.length) % pages.length);
  const toggle = (name: DrawerName): void => setDrawer((open) => (open === name ? null : name));
  const chosen =
    chosenId === null || isHidden({ ticket: { id: chosenId } } as BoardCard) ? undefined : byId.get(chosenId);
  useBoardKeys((action) => {
    session.touch();
    const digit = /^card_(\d+)$/.exec(action)?.[1];
    if (digit !== undefined) setChosenId(ids[Number(digit) - 1] ?? null);
    else if (isArrow(action)) setChosenId(neighbour(page, chosen?.ticket.id, action));
    else if (action === 'next_page' || action === 'previous_page') turnPage(action === 'next_page' ? 1 : -1);
    else if (action === 'recall' || action === 'all_day') toggle(action);
    else if (action === 'close') {
      if (drawer === null) setChosenId(null);
      else setDrawer(null);
    } else if (chosen) actOn(chosen, action);
  });
  function actOn({ ticket, look }: BoardCard, action: Action): void {
    if (action === 'more') setTurnedId(ticket.id);
    else if (look === 'cancelled' && action === 'bump') board.readChanges(ticket.id);
    else if (look !== 'cancelled' && action === 'bump') board.bumpTicket(ticket.id);
    else if (action === 'item') {
      const item = ticket.items.find(({ status }) => status === 'received' || status === 'preparing');
      if (item) board.bumpItem(ticket.id, item.id);
    }
  }

  const closeDrawer = (): void => setDrawer(null);
  const styles = { ...cssOf(sizes), '--column': `${columnWidth}px`, '--columns': String(columnCount) };
  return (
    <div
      class={`board ${shape.isWall ? 'board-wall' : ''} ${isScrolled ? 'board-scrolled' : ''}`}
      style={styles}
      onPointerDown={session.touch}
    >
      <TopBar
        {...{ client, session, drawer }}
        onDrawer={toggle}
        entries={[
          { text: messages().legend.title, onChoose: () => setDrawer('legend') },
          { text: messages().board.print, onChoose: () => printBoard(board.cards.peek()) },
          { text: messages().board.shift, onChoose: onShift },
        ]}
      />
      <Notice session={session} />
      <main class="board-main" ref={main}>
        <h1 class="spoken">{messages().kitchenScreen}</h1>
        <div class="board-columns">
          {page.map(({ ticket: { ticket }, from, to, column, top, height }) => (
            <div
              key={`${ticket.id}.${from}`}
              class="board-slot"
              data-slot={`${ticket.id}.${from}`}
              data-order={ticket.id}
              style={
                isScrolled ? {} : { left: `${column * (columnWidth + gap)}px`, top: `${top}px`, height: `${height}px` }
              }
            >
              <Slot
                {...{ session, from, to, ticket }}
                card={byId.get(ticket.id)}
                position={from > 0 || ids.indexOf(ticket.id) > 9 ? null : ids.indexOf(ticket.id) + 1}
                isChosen={ticket.id === chosenId}
                isTurned={ticket.id === turnedId}
                onTurn={setTurnedId}
              />
            </div>
          ))}
        </div>
        {cards.length === 0 && page.length === 0 && <Empty session={session} />}
        {drawer === 'all_day' && <AllDay session={session} onClose={closeDrawer} />}
        {drawer === 'recall' && <Recall session={session} onClose={closeDrawer} />}
        {drawer === 'legend' && <LegendDrawer onClose={closeDrawer} />}
        {drawer === 'sold_out' && <SoldOut client={client} onClose={closeDrawer} />}
      </main>
      <div class="spoken" role="status">
        {session.announcement.value}
      </div>
      <BottomBar {...{ session, older, more, pageAt }} pageCount={pages.length} onNextPage={() => turnPage(1)} />
    </div>
  );
}

const wholeCard = { from: 0, column: 0, top: 0, height: 0 };
const itemsOf = ({ ticket }: BoardCard): number => ticket.items.length;

/** How the room is divided. On a phone, and with large letters, the cards are scrolled. */
function shapeOf({ width, height }: { width: number; height: number }, hasDrawer: boolean) {
  const isWall = width >= wallWidth;
  const isScrolled = width < 640 || height < 400;
  const gap = isWall ? 16 : 12;
  const allColumns = Math.min(chosenColumns.value ?? bestColumns(width), fittingColumns(width));
  const columnCount = hasDrawer && !isScrolled ? Math.max(1, allColumns - 1) : allColumns;
  const columnWidth = Math.floor((width - gap * (allColumns - 1)) / allColumns);
  return { isWall, isScrolled, gap, columnCount, columnWidth, sizes: isWall ? wallSizes : tabletSizes };
}

type SlotProps = {
  session: BoardSession;
  /** The ticket as it was laid out. */
  ticket: BoardCard['ticket'];
  /** As it is now; missing if it has gone. */
  card: BoardCard | undefined;
  from: number;
  to: number;
  position: number | null;
  isChosen: boolean;
  isTurned: boolean;
  onTurn: (id: number | null) => void;
};
/** A card, or for a moment the gap that it leaves. It is painted again only if something of it has changed. */
function Slot({ session, ticket, card, from, to, position, isChosen, isTurned, onTurn }: SlotProps) {
  return useMemo(
    () =>
      card ? (
        <TicketCard {...{ session, card, from, to, position, isChosen, isTurned, onTurn }} />
      ) : (
        <Gap table={ticket.table} />
      ),
    [session, ticket, card, from, to, position, isChosen, isTurned, onTurn],
  );
}
const Gap = ({ table }: { table: string | null }) => (
  <div class="board-gap">
    <Icon name="check" size={40} />
    {messages().board.gone(tableName(table))}
  </div>
);

type Painted = {
  session: BoardSession;
  page: Page<BoardCard>;
  isScrolled: boolean;
  main: { current: HTMLElement | null };
};
/** Reports orders that stand on the page, and of a page that is scrolled those that came into view. */
function usePainted({ session, page, isScrolled, main }: Painted): void {
  useEffect(() => {
    if (isScrolled || document.visibilityState === 'hidden') return;
    session.reportPainted(page.filter(({ ticket }) => !ticket.ticket.seen).map(({ ticket }) => ticket.ticket.id));
  });
  const orders = page.map(({ ticket }) => ticket.ticket.id).join();
  useEffect(() => {
    if (!isScrolled) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const visible = entries.filter(({ isIntersecting }) => isIntersecting);
        session.reportPainted(visible.map(({ target }) => Number((target as HTMLElement).dataset['order'])));
      },
      { threshold: 0.5 },
    );
    for (const slot of main.current?.querySelectorAll('[data-order]') ?? []) observer.observe(slot);
    return () => observer.disconnect();
  }, [session, main, isScrolled, orders]);
}

const arrows = ['left', 'right', 'up', 'down'] as const;
type Arrow = (typeof arrows)[number];
const isArrow = (action: Action): action is Arrow => arrows.includes(action as Arrow);

/** The ticket beside the chosen one; the first if none is chosen, the chosen one if there is none beside it. */
function neighbour(page: Page<BoardCard>, chosenId: number | undefined, arrow: Arrow): number | null {
  const starts = page.filter(({ from }) => from === 0);
  const chosen = starts.find(({ ticket }) => ticket.ticket.id === chosenId);
  if (!chosen) return starts[0]?.ticket.ticket.id ?? null;
  const at = starts.indexOf(chosen);
  if (arrow === 'up' || arrow === 'down')
    return starts[at + (arrow === 'up' ? -1 : 1)]?.ticket.ticket.id ?? chosen.ticket.ticket.id;
  const isThere = ({ column }: Card<BoardCard>): boolean =>
    arrow === 'left' ? column < chosen.column : column > chosen.column;
  const distance = ({ column, top }: Card<BoardCard>): number =>
    Math.abs(column - chosen.column) * 100_000 + Math.abs(top - chosen.top);
  const [nearest = chosen] = starts.filter(isThere).toSorted((a, b) => distance(a) - distance(b));
  return nearest.ticket.ticket.id;
}

function Empty({ session }: { session: BoardSession }) {
  const words = messages().board;
  const state = session.feedState.value;
  if (!session.isRead.value) return <p class="board-empty">{words.notRead}</p>;
  return (
    <div class="board-empty">
      <div class="board-rail" />
      <h2>{words.empty}</h2>
      {state.kind === 'live' && (
        <>
          <p>{words.emptySince(formatTime(state.sinceMs))}</p>
          <p class="board-dim">{words.emptyHint}</p>
        </>
      )}
    </div>
  );
}
