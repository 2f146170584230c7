import type { Client } from '@comanda/client/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { classNames } from '@comanda/ui/class-names.ts';
import { lazyModule, useLazy } from '@comanda/ui/lazy.tsx';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import '@comanda/ui/slate.css';
import './board.css';
import { BottomBar } from './bottom-bar.tsx';
import { Slots } from './slots.tsx';
import { TopBar } from './top-bar.tsx';
import { useDrawer } from './use-drawer.ts';
import { useEarlyKeys } from './use-early-keys.ts';
import { type Layout, showsEnd, useLayout } from './use-layout.ts';
import type { RefObject } from 'preact';

const boardKeys = lazyModule(() => import('./board-keys.tsx'));
const drawers = lazyModule(() => import('./drawers.tsx'));
const empty = lazyModule(() => import('./empty.tsx'));
const notice = lazyModule(() => import('./notice.tsx'));
const ticketBack = lazyModule(() => import('./ticket-back.tsx'));

type Props = { client: Client; session: BoardSession; onShift: () => void };

/** The board, with the tickets of the selected station. */
export function BoardView({ client, session, onShift }: Props) {
  const { board } = session;
  const { release } = session.device;
  const { drawer, setDrawer } = useDrawer();
  const [turnedId, setTurnedId] = useState<number | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { BoardKeys } = useLazy(boardKeys) ?? {};
  useEarlyKeys(BoardKeys !== undefined);
  const { Drawers } = useLazy(drawers, drawer) ?? {};
  const { Empty } = useLazy(empty) ?? {};
  const { Notice } = useLazy(notice, session.notice.value) ?? {};
  const { TicketBack } = useLazy(ticketBack, turnedId) ?? {};
  const main = useRef<HTMLElement>(null);
  const layout = useLayout({ session, main, drawer });
  const {
    isWall,
    isScrolled,
    isDense,
    isStrip,
    columnWidth,
    columnCount,
    page,
    goingOn,
    older,
    more,
    pageAt,
    pageCount,
    turnPage,
  } = layout;
  usePainted({ session, layout, main });
  return (
    <div
      class={classNames(
        'stack board slate',
        isWall && 'board-wall',
        isScrolled && 'board-scrolled',
        isDense && 'board-dense',
        isStrip && 'board-strip',
      )}
      style={{
        '--column': `${columnWidth}px`,
        '--drawer': `${layout.drawerWidth}px`,
        '--columns': String(columnCount),
      }}
      onPointerDown={session.touch}
      onClickCapture={session.device.alert}
    >
      <TopBar
        {...{ client, session, drawer }}
        onDrawer={(name) => setDrawer(drawer === name ? null : name)}
        entries={[
          { text: messages().legendTitle, onChoose: () => setDrawer('legend') },
          { text: messages().board.print, onChoose: () => session.print({ kind: 'board', cards: board.cards.peek() }) },
          { text: messages().board.shift, onChoose: onShift },
          ...(session.busyEntry.value ? [session.busyEntry.value] : []),
          ...(release.found.value ? [{ text: messages().menu.newVersion, onChoose: () => void release.take() }] : []),
        ]}
      />
      {BoardKeys && (
        <BoardKeys
          {...{ session, layout, drawer, turnedId, chosenId, setDrawer }}
          onTurn={setTurnedId}
          onChoose={setChosenId}
        />
      )}
      {Notice && <Notice session={session} />}
      <main class="board-main" ref={main}>
        <h1 class="visually-hidden">{messages().kitchenScreen}</h1>
        <Slots {...{ session, layout, chosenId, turnedId }} Back={TicketBack ?? null} onTurn={setTurnedId} />
        {layout.hiddenColumn}
        {board.cards.value.length === 0 && page.length === 0 && Empty && <Empty session={session} />}
        {Drawers && <Drawers {...{ client, session, isStrip }} name={drawer} onClose={() => setDrawer(null)} />}
      </main>
      <div class="visually-hidden" role="status">
        {session.announcement.value}
      </div>
      <BottomBar {...{ session, goingOn, older, more, pageAt, pageCount }} onNextPage={() => turnPage(1)} />
    </div>
  );
}

type Painted = {
  session: BoardSession;
  layout: Pick<Layout, 'page' | 'isScrolled'>;
  main: RefObject<HTMLElement | null>;
};
/** Reports the orders that are on the page with their last dish as seen. On a page that scrolls, an order counts once it has come into view. */
function usePainted({ session, layout: { page, isScrolled }, main }: Painted): void {
  useEffect(() => {
    if (isScrolled || document.visibilityState === 'hidden') return;
    const ids = page.filter(({ ticket }) => !ticket.ticket.seen).map(({ ticket }) => ticket.ticket.id);
    session.reportPainted([...new Set(ids)].filter((id) => showsEnd(page, id)));
  });
  const { station } = session.device.settings;
  const orders = [station.value, ...page.map(({ ticket }) => ticket.ticket.id)].join();
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
