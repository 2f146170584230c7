import type { Client } from '@comanda/client/core';
import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { classNames } from '@comanda/ui/class-names.ts';
import { messages } from '../messages.ts';
import { useLoaded } from '../use-loaded.ts';
import type { BoardSession } from './board-session.ts';
import '@comanda/ui/slate.css';
import './board.css';
import type { BoardKeysProps } from './board-keys.tsx';
import { BottomBar } from './bottom-bar.tsx';
import type { DrawersProps } from './drawers.tsx';
import type { NoticeProps } from './notice.tsx';
import { Slots } from './slots.tsx';
import type { BackProps } from './ticket-back.tsx';
import { TopBar } from './top-bar.tsx';
import { useDrawer } from './use-drawer.ts';
import { useEarlyKeys } from './use-early-keys.ts';
import { useLayout } from './use-layout.ts';
import { usePainted } from './use-painted.ts';

const loadKeys = async (): Promise<ComponentType<BoardKeysProps>> => (await import('./board-keys.tsx')).BoardKeys;
const loadDrawers = async (): Promise<ComponentType<DrawersProps>> => (await import('./drawers.tsx')).Drawers;
const loadEmpty = async (): Promise<ComponentType<NoticeProps>> => (await import('./empty.tsx')).Empty;
const loadNotice = async (): Promise<ComponentType<NoticeProps>> => (await import('./notice.tsx')).Notice;
const loadBack = async (): Promise<ComponentType<BackProps>> => (await import('./ticket-back.tsx')).TicketBack;

type Props = { client: Client; session: BoardSession; onShift: () => void };

/** The board, with the tickets of the selected station. */
export function BoardView({ client, session, onShift }: Props) {
  const { board } = session;
  const { release } = session.device;
  const { drawer, setDrawer } = useDrawer();
  const [turnedId, setTurnedId] = useState<number | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { Loaded: Keys } = useLoaded(loadKeys);
  useEarlyKeys(Keys !== null);
  const { Loaded: Drawers } = useLoaded(loadDrawers, drawer);
  const { Loaded: Empty } = useLoaded(loadEmpty);
  const { Loaded: Notice } = useLoaded(loadNotice, session.notice.value);
  const { Loaded: Back } = useLoaded(loadBack, turnedId);
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
        'board slate',
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
      {Keys && (
        <Keys
          {...{ session, layout, drawer, turnedId, chosenId, setDrawer }}
          onTurn={setTurnedId}
          onChoose={setChosenId}
        />
      )}
      {Notice && <Notice session={session} />}
      <main class="board-main" ref={main}>
        <h1 class="spoken">{messages().kitchenScreen}</h1>
        <Slots {...{ session, layout, chosenId, turnedId, Back }} onTurn={setTurnedId} />
        {layout.hiddenColumn}
        {board.cards.value.length === 0 && page.length === 0 && Empty && <Empty session={session} />}
        {Drawers && <Drawers {...{ client, session, isStrip }} name={drawer} onClose={() => setDrawer(null)} />}
      </main>
      <div class="spoken" role="status">
        {session.announcement.value}
      </div>
      <BottomBar {...{ session, goingOn, older, more, pageAt, pageCount }} onNextPage={() => turnPage(1)} />
    </div>
  );
}
