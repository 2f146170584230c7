import type { FeedState } from '@comanda/client/core';
import { isUnread } from '@comanda/ui/feed-state.ts';
import { messages } from '../messages.ts';
import { feedText } from './feed-text.ts';
import './feed-line.css';

/** Shows the feed's state: a dot, or a red bar with a hint on what to do. */
export function FeedLine({ state, hint }: { state: FeedState; hint: string }) {
  const words = messages().feed;
  const text = feedText(state);
  return (
    <div class={`row wrap feed-line feed-line-${state.kind}`}>
      <strong role="status" aria-label={words.label}>
        {text}
      </strong>
      {state.kind === 'not_live' && <span>{isUnread(state) ? words.ordersMissingHint : hint}</span>}
    </div>
  );
}
