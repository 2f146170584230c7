import { Icon } from '@comanda/ui/icon.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { isUnread } from '@comanda/ui/feed-state.ts';
import { feedText } from '../feed/feed-text.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import './state-line.css';

/** Shows whether this screen receives new orders and has all others. */
export function StateLine({ session }: { session: BoardSession }) {
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
