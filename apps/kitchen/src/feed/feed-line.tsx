import type { FeedState } from '@comanda/client';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import './feed-line.css';

/** Says whether this screen hears of orders: a dot, or a red bar with what to do. */
export function FeedLine({ state, hint }: { state: FeedState; hint: string }) {
  const words = messages().feed;
  const text = {
    live: () => words.live,
    connecting: () => words.connecting,
    catching_up: () => words.catchingUp(state.kind === 'catching_up' ? state.count : 0),
    not_live: () => words.notLive(formatTimeWithSeconds(state.kind === 'not_live' ? state.sinceMs : 0)),
  }[state.kind]();
  return (
    <div class={`feed-line feed-line-${state.kind}`}>
      <strong role="status" aria-label={words.label}>
        {text}
      </strong>
      {state.kind === 'not_live' && <span>{hint}</span>}
    </div>
  );
}
