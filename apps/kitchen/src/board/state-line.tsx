import { Icon } from '@comanda/ui/icon.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { feedText } from '../feed/feed-text.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import './state-line.css';

/** Says whether this screen hears of new orders. */
export function StateLine({ session }: { session: BoardSession }) {
  const words = messages().feed;
  const state = session.feedState.value;
  const knownAtMs = session.knownAtMs.value;
  return (
    <div class={`state-line state-${state.kind}`}>
      {state.kind === 'not_live' && <Icon name="noNetwork" size={44} />}
      <span class="state-words">
        <strong role="status" aria-label={words.label}>
          {feedText(state)}
        </strong>
        {state.kind === 'not_live' && knownAtMs !== null && `. ${words.ticketsOf(formatTimeWithSeconds(knownAtMs))}`}
        {state.kind === 'not_live' && `. ${state.why === 'stalled' ? words.stalledHint : words.notLiveHint}`}
      </span>
    </div>
  );
}
