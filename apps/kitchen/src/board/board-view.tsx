import type { Client } from '@comanda/client';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatTime, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { actionOf } from '../device/keys.ts';
import { playSound, soundState, toggleSound, unlockSounds } from '../device/sounds.ts';
import { messages } from '../messages.ts';
import type { BoardCard, Undoable } from '../model/board.ts';
import { layOut } from '../model/layout.ts';
import { ageOf, defaultAgeLimits, formatAge } from '../model/ticket.ts';
import { allStations } from '../model/ticket.ts';
import { bestColumns, chosenColumns, station } from '../settings.ts';
import type { BoardSession } from './board-session.ts';
import { AllDay, Recall, SoldOut } from './drawers.tsx';
import type { DrawerName } from './drawers.tsx';
import { EmptyRail } from './empty-rail.tsx';
import { cardHeight, tabletSizes, wallSizes } from './measure.ts';
import { StateLine } from './state-line.tsx';
import { tableName } from './table-name.ts';
import { TicketCard } from './ticket-card.tsx';
import './board.css';

/** From this width on, a screen hangs on a wall and is read from three metres. */
const wallWidth = 1_600;
const backToFirstPageMs = 15_000;

type Props = { client: Client; session: BoardSession; onMenu: () => void };

/** The board of one station. */
export function BoardView({ client, session, onMenu }: Props) {
  const { board, now } = session;
  const [drawer, setDrawer] = useState<DrawerName | null>(null);
  const [page, setPage] = useState(0);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { ref, size } = useSize();
  const cards = board.cards.value;
  const isWall = window.innerWidth >= wallWidth;
  const gap = isWall ? 16 : 12;
  const columnCount = Math.min(
    chosenColumns.value ?? bestColumns(window.innerWidth),
    Math.max(1, Math.floor(size.width / 280)),
  );
  const columnWidth = Math.floor((size.width - gap * (columnCount - 1)) / columnCount);

  const pages = useMemo(() => {
    const sizes = (isWall ? wallSizes : tabletSizes)(columnWidth);
    return layOut({
      tickets: cards,
      columnCount,
      columnHeight: size.height,
      gap,
      heightOf: (card, from, to) => cardHeight(card, sizes, { from, to }),
      itemCount: ({ ticket }) => ticket.items.length,
    });
  }, [cards, columnCount, columnWidth, size.height, gap, isWall]);
  const pageAt = Math.min(page, Math.max(0, pages.length - 1));
  const columns = pages[pageAt]?.columns ?? [];
  const shown = columns.flat();
  const first = [...new Set(shown.map(({ ticket }) => ticket))];
  const hidden = cards.filter((card) => !first.includes(card));

  useEffect(() => {
    // Chips in the bottom bar of the first page count as painted; tickets on a page that nobody opened do not.
    const chips = pageAt === 0 ? hidden.slice(0, maxChips) : [];
    session.reportPainted([...first, ...chips].filter(({ ticket }) => !ticket.seen).map(({ ticket }) => ticket.id));
  });
  useEffect(() => {
    if (pageAt === 0) return undefined;
    const timer = setTimeout(() => setPage(0), backToFirstPageMs);
    return () => clearTimeout(timer);
  }, [pageAt, cards]);

  const chosen = first.find(({ ticket }) => ticket.id === chosenId) ?? null;
  function move(by: number): void {
    const at = chosen ? first.indexOf(chosen) : -1;
    const next = first[Math.max(0, Math.min(first.length - 1, at + by))];
    if (next) setChosenId(next.ticket.id);
  }
  function bumpChosen(): void {
    if (!chosen) return;
    if (chosen.look === 'cancelled') board.clearCancelled(chosen.ticket.id);
    else board.bumpTicket(chosen.ticket.id);
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
      const action = actionOf(event.key);
      if (action === undefined) return;
      // Enter and Space on a focused button press that button.
      const onButton = target instanceof HTMLElement && target.closest('button, summary, a') !== null;
      if (onButton && (event.key === 'Enter' || event.key === ' ')) return;
      event.preventDefault();
      session.touch();
      if (action.startsWith('card_')) setChosenId(first[Number(action.slice(5)) - 1]?.ticket.id ?? null);
      else if (action === 'bump') bumpChosen();
      else if (action === 'item') {
        const item = chosen?.ticket.items.find(({ status }) => status === 'received' || status === 'preparing');
        if (chosen && item) board.bumpItem(chosen.ticket.id, item.id);
      } else if (action === 'left' || action === 'up') move(-1);
      else if (action === 'right' || action === 'down') move(1);
      else if (action === 'recall') setDrawer((open) => (open === 'recall' ? null : 'recall'));
      else if (action === 'all_day') setDrawer((open) => (open === 'all_day' ? null : 'all_day'));
      else if (action === 'next_page') setPage((at) => Math.min(pages.length - 1, at + 1));
      else if (action === 'previous_page') setPage((at) => Math.max(0, at - 1));
      else if (drawer !== null) setDrawer(null);
      else setChosenId(null);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  const words = messages().board;
  return (
    <div
      class={`board ${isWall ? 'board-wall' : ''} ${drawer ? 'board-with-drawer' : ''}`}
      onPointerDown={session.touch}
    >
      <TopBar {...{ session, drawer, setDrawer, onMenu }} />
      <Dropped session={session} />
      <main class="board-main">
        <div class="board-columns" ref={ref} style={{ '--columns': String(columnCount), '--gap': `${gap}px` }}>
          {columns.map((column) => (
            <div class="board-column" key={column.map(({ ticket: { ticket }, from }) => `${ticket.id}.${from}`).join()}>
              {column.map(({ ticket: card, from, to }) => (
                <TicketCard
                  key={`${card.ticket.id}.${from}`}
                  {...{ board, card, from, to }}
                  position={from === 0 ? first.indexOf(card) + 1 : null}
                  isChosen={card.ticket.id === chosenId}
                  now={now.value}
                />
              ))}
            </div>
          ))}
          {cards.length === 0 && <Empty session={session} />}
        </div>
        {drawer === 'all_day' && <AllDay session={session} onClose={() => setDrawer(null)} />}
        {drawer === 'recall' && <Recall session={session} onClose={() => setDrawer(null)} />}
        {drawer === 'sold_out' && <SoldOut client={client} onClose={() => setDrawer(null)} />}
      </main>
      <div class="visually-hidden" role="status">
        {session.announcement.value}
      </div>
      <footer class="board-bottom">
        <LastBump session={session} />
        <span class="board-space" />
        {hidden.length > 0 && (
          <strong>{(pageAt === 0 ? words.more : words.older)(hidden.length, oldestAge(hidden, now.value))}</strong>
        )}
        {pageAt === 0 && <Chips cards={hidden.slice(0, maxChips)} now={now.value} />}
        {pages.length > 1 && (
          <button
            type="button"
            class="tool tool-page"
            aria-label={words.nextPage}
            onClick={() => setPage((pageAt + 1) % pages.length)}
          >
            {words.page(pageAt + 1, pages.length)} <Icon name="chevron" size={20} />
          </button>
        )}
      </footer>
    </div>
  );
}

const maxChips = 12;
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');
const oldestAge = (cards: readonly BoardCard[], now: number): string =>
  formatAge(now - Math.min(...cards.map(({ ticket }) => ticket.createdAtMs)));

/** The size of an element, kept up to date. */
function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: window.innerWidth - 24, height: window.innerHeight - 140 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, size };
}

type TopBarProps = {
  session: BoardSession;
  drawer: DrawerName | null;
  setDrawer: (name: DrawerName | null) => void;
  onMenu: () => void;
};
function TopBar({ session, drawer, setDrawer, onMenu }: TopBarProps) {
  const words = messages().board;
  const { board, now, feedState } = session;
  const isLost = feedState.value.kind === 'not_live';
  const cards = board.cards.value;
  const count = (test: (card: BoardCard) => boolean): number => cards.filter(test).length;
  const late = count(
    ({ ticket, look }) => look !== 'cancelled' && ageOf(ticket, now.value, defaultAgeLimits) === 'late',
  );
  const ready = count(({ look }) => look === 'ready');
  const tool = (name: DrawerName, text: string) => (
    <button
      type="button"
      class="tool"
      aria-expanded={drawer === name}
      onClick={() => setDrawer(drawer === name ? null : name)}
    >
      {text}
    </button>
  );
  return (
    <header class={isLost ? 'board-top board-top-lost' : 'board-top'}>
      <StateLine session={session} />
      {!isLost && (
        <>
          <time class="board-clock">{formatTimeWithSeconds(now.value)}</time>
          <span class="board-station">
            {station.value === allStations ? messages().shift.allStations : station.value}
          </span>
          <span class="board-counts">
            <b>{count(({ look }) => look !== 'cancelled')}</b> {words.open}
            {late > 0 && (
              <span class="board-late">
                <b>{late}</b> {words.late}
              </span>
            )}
            {ready > 0 && (
              <span>
                <b>{ready}</b> {words.ready}
              </span>
            )}
          </span>
        </>
      )}
      <span class="board-space" />
      {!isLost && tool('all_day', words.allDay)}
      {tool('recall', words.recall)}
      {!isLost && tool('sold_out', words.soldOut)}
      <SoundButton />
      <button type="button" class="tool tool-icon" aria-label={words.menu} onClick={onMenu}>
        <span class="tool-bars" aria-hidden="true" />
      </button>
    </header>
  );
}

function SoundButton() {
  const words = messages().board;
  if (soundState.value === 'blocked')
    return (
      <button type="button" class="tool tool-alarm" onClick={() => void unlockSounds()}>
        {words.soundBlocked}
      </button>
    );
  const isOn = soundState.value === 'on';
  return (
    <button
      type="button"
      class="tool tool-icon"
      aria-label={words.sound}
      aria-pressed={isOn}
      onClick={() => {
        toggleSound();
        playSound('ready');
      }}
    >
      <Icon name={isOn ? 'soundOn' : 'soundOff'} />
    </button>
  );
}

/** The bump that was made last: with a button that takes it back for 8 s. */
function LastBump({ session }: { session: BoardSession }) {
  const { board, now, feedState, retry } = session;
  const words = messages().board;
  const kept = board.waiting.value.length;
  if (feedState.value.kind === 'not_live' && kept > 0)
    return (
      <>
        <time class="board-clock">{formatTimeWithSeconds(now.value)}</time>
        <strong class="board-kept">{messages().feed.bumpsKept(kept)}</strong>
        <button type="button" class="tool tool-light" onClick={retry}>
          {messages().feed.tryNow}
        </button>
      </>
    );
  const undoable: Undoable | null = board.undoable.value;
  if (undoable && undoable.untilMs > now.value) {
    const { bump, untilMs } = undoable;
    return (
      <>
        <button type="button" class="tool-undo" onClick={() => board.undo(bump)}>
          <Icon name="undo" /> {words.undo}
          <span class="tool-undo-bar" key={bump.id} aria-hidden="true" />
          <small>{words.undoLeft(Math.ceil((untilMs - now.value) / 1_000))}</small>
        </button>
        <span class="board-last">
          <strong>{words.bumped(tableName(bump.table), bump.ticket)}</strong>
          <small>{formatTimeWithSeconds(bump.atMs)}</small>
        </span>
      </>
    );
  }
  const last = board.recalls.value[0];
  if (!last) return null;
  return (
    <span class="board-dim">
      {words.lastBump(tableName(last.table), last.ticket, formatTimeWithSeconds(last.atMs))}
    </span>
  );
}

/** A bump that was not made, with the reason, until somebody closes it. */
function Dropped({ session }: { session: BoardSession }) {
  const words = messages().dropped;
  const dropped = session.board.dropped.value;
  if (!dropped) return null;
  const { bump, why } = dropped;
  const where = `${tableName(bump.table)} #${bump.ticket}`;
  const by = why.kind === 'overtaken' ? why.by : undefined;
  const who = by ? messages().roles[by.actor.role] : '';
  const text =
    why.kind === 'refused'
      ? words.refused
      : !by
        ? words.changed
        : by.to === bump.moves[0]?.to
          ? words.bumpedBy(who, formatTimeWithSeconds(by.at))
          : words.changedBy(who, formatTimeWithSeconds(by.at));
  return (
    <div class="board-dropped" role="alert">
      <strong>{where}</strong> {text}
      <button type="button" class="tool tool-light" onClick={session.board.closeDropped}>
        {words.close}
      </button>
    </div>
  );
}

function Chips({ cards, now }: { cards: readonly BoardCard[]; now: number }) {
  return (
    <ul class="board-chips">
      {cards.map(({ ticket }) => (
        <li key={ticket.id} class={`board-chip board-chip-${ageOf(ticket, now, defaultAgeLimits)}`}>
          <b>{tableName(ticket.table)}</b> {formatAge(now - ticket.createdAtMs)}
        </li>
      ))}
    </ul>
  );
}

function Empty({ session }: { session: BoardSession }) {
  const words = messages().board;
  const state = session.feedState.value;
  if (!session.isComplete.value) return <p class="board-empty-text">{words.notRead}</p>;
  return (
    <div class="board-empty">
      <EmptyRail />
      <h2>{words.empty}</h2>
      {state.kind === 'live' && <p>{words.emptySince(formatTime(state.sinceMs))}</p>}
      <p class="board-dim">{words.emptyHint}</p>
    </div>
  );
}
