import { formatTime } from '@comanda/ui/format.ts';
import { isMissing } from '@comanda/ui/feed-state.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import './empty.css';

/** A board without tickets. If there may be some all the same, the line above says so, and nothing here says anything else. */
export function Empty({ session }: { session: BoardSession }) {
  const words = messages().board;
  const state = session.feedState.value;
  if (isMissing(state, session.isRead.value)) return null;
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
