import { formatTime } from '@comanda/ui/format.ts';
import { useGuest } from './contexts.ts';
import { messages } from './messages.ts';
import './not-live-notice.css';

/** Since when the page may show old orders. */
export function NotLiveNotice() {
  const since = useGuest().orders.notLiveSince.value;
  if (since === null) return null;
  return (
    <p class="not-live" role="status">
      {messages().notLive(formatTime(since))}
    </p>
  );
}
