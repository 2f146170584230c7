import type { Client } from '@comanda/client/core';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { turnsSound } from '@comanda/ui/audio.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { AppMenu } from '../app-menu/app-menu.tsx';
import type { MenuEntry } from '../app-menu/app-menu-entries.tsx';
import { messages } from '../messages.ts';
import { ageOf, formatAge } from '../bumps/ticket.ts';
import type { BoardSession } from './board-session.ts';
import type { DrawerName } from './drawers.tsx';
import './state-line.css';
import './top-bar.css';
import { stationName } from '../shift/station-name.ts';
import { isUnread } from '@comanda/ui/feed-state.ts';
import { feedText } from '../feed/feed-text.ts';

type Props = {
  client: Client;
  session: BoardSession;
  drawer: DrawerName | null;
  onDrawer: (name: DrawerName) => void;
  entries: readonly MenuEntry[];
};

/**
 * The board's top bar: the feed's state, the counts, the station and the clock, then the drawers, the sound and the menu. If
 * there isn't enough room, the clock is hidden first.
 */
export function TopBar({ client, session, drawer, onDrawer, entries }: Props) {
  const words = messages().board;
  const station = session.device.settings.station.value;
  const isLost = session.feedState.value.kind === 'not_live';
  const tool = (name: DrawerName, text: string) => (
    <button type="button" class="tool" aria-expanded={drawer === name} onClick={() => onDrawer(name)}>
      {text}
    </button>
  );
  return (
    <header class={isLost ? 'row board-top board-top-lost' : 'row board-top'}>
      <div class="row wrap board-now">
        <StateLine session={session} />
        {!isLost && (
          <>
            <Counts session={session} />
            <span class="board-station">{stationName(station)}</span>
            <Clock session={session} />
          </>
        )}
      </div>
      <span class="board-tools">
        {!isLost && tool('all_day', words.allDay)}
        {tool('recall', words.recall)}
        {!isLost && tool('sold_out', words.soldOut)}
      </span>
      <SoundButton session={session} />
      <AppMenu client={client} screen="board" entries={entries} />
    </header>
  );
}

export const Clock = ({ session }: { session: BoardSession }) => (
  <time class="board-clock">{formatTimeWithSeconds(session.now.value)}</time>
);

function Counts({ session: { board, now, isRead } }: { session: BoardSession }) {
  const words = messages().board;
  const cards = board.cards.value.filter(({ look }) => look !== 'cancelled');
  if (cards.length === 0 && !isRead.value) return null; // the tickets aren't loaded yet
  const late = cards.filter(({ ticket, limits }) => ageOf(ticket, now.value, limits) === 'late').length;
  const ready = cards.filter(({ look }) => look === 'ready').length;
  return (
    <span class="wrap board-counts">
      <b>{cards.length}</b> {words.open(cards.length)}
      {late > 0 && (
        <span class="board-late">
          <b>{late}</b> {words.late(late)}
        </span>
      )}
      {ready > 0 && (
        <span>
          <b>{ready}</b> {words.ready(ready)}
        </span>
      )}
    </span>
  );
}

function SoundButton({ session: { device, now, clockOffsetMs } }: { session: BoardSession }) {
  const words = messages().board;
  const { sounds } = device;
  if (sounds.state.value === 'blocked')
    return (
      <button type="button" class="tool tool-alarm" {...turnsSound} onClick={() => void sounds.unlock()}>
        {words.soundBlocked}
      </button>
    );
  const mutedUntil = sounds.mutedUntilMs.value;
  // `mutedUntil` is by the device's clock, which may differ from the session's, the server's.
  const left = mutedUntil === null ? null : formatAge(mutedUntil - (now.value - clockOffsetMs.value));
  return (
    <button
      type="button"
      class={left === null ? 'tool tool-icon' : 'tool'}
      {...turnsSound}
      aria-label={left === null ? words.sound : words.muted(left)}
      aria-pressed={left === null}
      onClick={() => {
        sounds.toggle();
        sounds.play('ready');
      }}
    >
      <Icon name={left === null ? 'soundOn' : 'soundOff'} />
      {left}
    </button>
  );
}

/** Shows whether this screen receives new orders and has all others. */
function StateLine({ session }: { session: BoardSession }) {
  const words = messages().feed;
  const state = session.feedState.value;
  const knownAtMs = session.knownAtMs.value;
  const hint = { lost: words.notLiveHint, stalled: words.stalledHint, unread: words.ordersMissingHint };
  return (
    <div class={`row gap-3 state-line state-${state.kind}`}>
      {state.kind === 'not_live' && <Icon name={isUnread(state) ? 'warning' : 'noNetwork'} size={44} />}
      <span class="state-words">
        <strong role="status" aria-label={words.label}>
          {feedText(state, knownAtMs)}
        </strong>
        {state.kind === 'not_live' && knownAtMs !== null && `. ${words.ticketsOf(formatTimeWithSeconds(knownAtMs))}`}
        {state.kind === 'not_live' && `. ${hint[state.why]}`}
      </span>
    </div>
  );
}
