import { formatTime } from '@comanda/ui/format.ts';
import { isMissing } from '@comanda/ui/feed-state.ts';
import type { BoardSession } from './board-session.ts';
import './empty.css';
import { drawerMessages } from './messages.ts';

/** Says that there are no tickets. While some may still be missing, this shows nothing, because the line above says so. */
export function Empty({ session }: { session: BoardSession }) {
  const words = drawerMessages().board;
  const state = session.feedState.value;
  if (isMissing(state, session.isRead.value)) return null;
  if (!session.isRead.value) return <p class="stack gap-2 board-empty">{words.notRead}</p>;
  return (
    <div class="stack gap-2 board-empty">
      <div class="board-rail" />
      <h2>{words.empty}</h2>
      {state.kind === 'live' && (
        <>
          <p>{words.emptySince(formatTime(state.sinceMs))}</p>
          <p class="dim">{words.emptyHint}</p>
        </>
      )}
    </div>
  );
}
