import { formatUntil } from '@comanda/ui/format.ts';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { Notice } from '../notice.tsx';

/** Says until when guests can't order. */
export function PausedNotice() {
  const words = messages();
  const { client, menu } = useGuest();
  const { state, isPaused } = menu.ordering;
  const { paused_until: until, reason } = state.value;
  if (until === null || !isPaused.value) return null;
  return (
    <Notice kind="warning" icon="pause" title={words.pausedUntil(formatUntil(until, client.now()))}>
      {reason !== null && <p>{reason}</p>}
      <p>{words.pausedHint}</p>
    </Notice>
  );
}
