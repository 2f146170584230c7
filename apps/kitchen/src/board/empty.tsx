import { formatTime } from '@comanda/ui/format.ts';
import { isUnread } from '../feed/feed-text.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import './empty.css';

/** A board without tickets: as long as the orders were not read, there may be some. */
export function Empty({ session }: { session: BoardSession }) {
  const words = messages().board;
  const state = session.feedState.value;
  if (!session.isRead.value || isUnread(state)) return <p class="board-empty">{words.notRead}</p>;
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
