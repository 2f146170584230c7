import { Icon } from '@comanda/ui/icon.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import './state-line.css';

/** What the status says. */
function textOf({ feedState }: BoardSession): string {
  const words = messages().feed;
  const state = feedState.value;
  if (state.kind === 'live') return words.live;
  if (state.kind === 'connecting') return words.connecting;
  if (state.kind === 'catching_up') return words.catchingUp(state.count);
  return words.notLive(formatTimeWithSeconds(state.sinceMs));
}

/** Says whether this screen hears of new orders. */
export function StateLine({ session }: { session: BoardSession }) {
  const words = messages().feed;
  const state = session.feedState.value;
  return (
    <div class={`state-line state-${state.kind}`}>
      {state.kind === 'not_live' && <Icon name="noNetwork" size={44} />}
      <span class="state-words">
        <strong role="status" aria-label={words.label}>
          {textOf(session)}
        </strong>
        {state.kind === 'not_live' && `. ${state.why === 'stalled' ? words.stalledHint : words.notLiveHint}`}
      </span>
    </div>
  );
}
