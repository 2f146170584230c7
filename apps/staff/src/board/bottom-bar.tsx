import { useEffect, useRef } from 'preact/hooks';
import { formatTime, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { isCutOff } from '@comanda/ui/feed-state.ts';
import { messages } from '../messages.ts';
import type { BoardCard } from './card.ts';
import { ageOf, formatAge } from '../bumps/ticket.ts';
import type { BoardSession } from './board-session.ts';
import './bottom-bar.css';
import { bumpText } from './card-texts.ts';
import { tableName } from './table-name.ts';
import { Clock } from './top-bar.tsx';

type Props = {
  session: BoardSession;
  /** The tickets that begin on this page and end on a later one. */
  goingOn: readonly BoardCard[];
  /** The tickets on earlier pages; `more` has those on later pages. */
  older: readonly BoardCard[];
  more: readonly BoardCard[];
  pageAt: number;
  pageCount: number;
  onNextPage: () => void;
};

/** The board's bottom bar: the last bump on the left, and tickets on other pages on the right. */
export function BottomBar({ session, goingOn, older, more, pageAt, pageCount, onNextPage }: Props) {
  const words = messages().board;
  const isLost = session.feedState.value.kind === 'not_live';
  const pausedUntil = session.pausedUntil.value;
  return (
    <footer class={isLost ? 'row board-bottom board-bottom-lost' : 'row board-bottom'}>
      <LastBump session={session} />
      <div class="board-told">
        {pausedUntil !== null && !isLost && (
          <strong class="board-paused" role="status">
            {words.paused(formatTime(pausedUntil))}
          </strong>
        )}
        <Hidden {...{ session, goingOn, older, more }} isFirstPage={pageAt === 0} />
      </div>
      {pageCount > 1 && (
        <button type="button" class="tool" onClick={onNextPage}>
          <span>{words.page(pageAt + 1, pageCount)}</span> <Icon name="chevron" size={20} />
        </button>
      )}
    </footer>
  );
}

const oldestAge = (cards: readonly BoardCard[], now: number): string =>
  formatAge(now - Math.min(...cards.map(({ ticket }) => ticket.createdAtMs)));

type HiddenProps = Pick<Props, 'session' | 'goingOn' | 'older' | 'more'> & { isFirstPage: boolean };
/**
 * Counts the tickets on other pages. On the first page, there is also a chip for each of them, and for one that continues there,
 * as far as they fit. A ticket with a chip is reported as seen.
 */
function Hidden({ session, goingOn, older, more, isFirstPage }: HiddenProps) {
  const words = messages().board;
  const list = useRef<HTMLUListElement>(null);
  const chips = isFirstPage ? [...goingOn, ...more] : [];
  const now = session.now.value;
  useEffect(() => {
    const element = list.current;
    if (document.visibilityState === 'hidden' || !element) return;
    // Chips that don't fit are on a lower row, which is cut off.
    const isShown = [...element.querySelectorAll('li')].map((chip) => chip.offsetTop === element.offsetTop);
    const shown = chips.filter(({ ticket }, index) => isShown[index] && !ticket.seen);
    session.reportPainted(shown.map(({ ticket }) => ticket.id));
  });
  return (
    <div class="row gap-4 board-hidden">
      {older.length > 0 && (
        <strong class="on-alarm board-older">{words.older(older.length, oldestAge(older, now))}</strong>
      )}
      {older.length === 0 && more.length > 0 && <strong>{words.more(more.length, oldestAge(more, now))}</strong>}
      {chips.length > 0 && (
        <ul ref={list}>
          {chips.map(({ ticket, limits }) => (
            <li key={ticket.id} class={`edge board-chip board-chip-${ageOf(ticket, now, limits)}`}>
              <b>{tableName(ticket.table)}</b> {formatAge(now - ticket.createdAtMs)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The last bump, with an Undo button for 8 s. While the board is cut off, the number of unsent bumps instead. */
function LastBump({ session }: { session: BoardSession }) {
  const { board, now, feedState, retry } = session;
  const words = messages().board;
  const kept = session.waiting.value;
  if (isCutOff(feedState.value))
    return (
      <>
        <Clock session={session} />
        {kept[0] && (
          <>
            <span class="column board-last">
              <strong class="board-kept">{messages().feed.bumpsKept(kept.length)}</strong>
              <small>{messages().feed.oldestKept(formatAge(now.value - kept[0].atMs))}</small>
            </span>
            <button type="button" class="tool tool-light" onClick={retry}>
              {messages().feed.tryNow}
            </button>
          </>
        )}
      </>
    );
  const undoable = session.done.undoable.value;
  if (!undoable) return null;
  const { bump, untilMs } = undoable;
  if (untilMs > now.value)
    return (
      <>
        <button type="button" class="on-ink tool-undo" aria-label={words.undo} onClick={() => board.undo(bump)}>
          <Icon name="undo" /> {words.undo}
          <span class="tool-undo-bar" key={bump.id} aria-hidden="true" />
        </button>
        {/* This is beside the button, because the button's name would otherwise change every second. */}
        <small class="tool-undo-left" aria-hidden="true">
          {words.undoLeft(Math.ceil((untilMs - now.value) / 1_000))}
        </small>
        <span class="column board-last">
          <strong>{bumpText(bump)}</strong>
          <small>
            {tableName(bump.table)} #{bump.ticket} · {formatTimeWithSeconds(bump.atMs)}
          </small>
        </span>
      </>
    );
  return (
    <span class="column board-last board-earlier">
      <small>{words.lastBump(bumpText(bump))}</small>
      <small>
        {tableName(bump.table)} #{bump.ticket} · {formatTimeWithSeconds(bump.atMs)}
      </small>
    </span>
  );
}
