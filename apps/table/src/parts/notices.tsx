import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { ScanDrawing } from '@comanda/ui/drawings.tsx';
import { messages } from '../messages.ts';
import { isPaused, ordering } from '../state/menu.ts';
import { notLiveSince, orders } from '../state/orders.ts';
import { navigate } from '../state/route.ts';
import { isScanning, retryScan, scanFailure, scanTrouble, table } from '../state/seat.ts';
import { findArrived, outgoing, stopped } from '../state/sending.ts';
import { Notice } from './notice.tsx';
import './notices.css';

/** Why one cannot order from here, and how one can. */
export function SeatNotice() {
  const words = messages();
  const trouble = scanTrouble.value;
  if (trouble !== null) {
    const { title, text } = words.scanAgain[trouble];
    const requestId = trouble === 'failed' && scanFailure.value ? failureWords(scanFailure.value).requestId : undefined;
    return (
      <Notice kind="warning" icon="warning" title={title}>
        <p>{text}</p>
        {requestId !== undefined && <RequestId id={requestId} />}
        {trouble === 'failed' && (
          <Button size="small" onClick={retryScan}>
            {words.tryAgain}
          </Button>
        )}
      </Notice>
    );
  }
  if (table.value !== null || isScanning.value) return null;
  return (
    <section class="scan-notice">
      <ScanDrawing />
      <div>
        <h2>{words.scanTitle}</h2>
        <p>{words.scanText}</p>
      </div>
    </section>
  );
}

export function PausedNotice() {
  const words = messages();
  const { paused_until: until, reason } = ordering.value;
  if (until === null || !isPaused.value) return null;
  return (
    <Notice kind="warning" icon="pause" title={words.pausedUntil(formatTime(until))}>
      {reason !== null && <p>{reason}</p>}
      <p>{words.pausedHint}</p>
    </Notice>
  );
}

export function NotLiveNotice() {
  const since = notLiveSince.value;
  if (since === null) return null;
  return (
    <p class="not-live" role="status">
      {messages().notLive(formatTime(since))}
    </p>
  );
}

/** An order that is on its way, seen from another page than its own. */
export function OutgoingNotice() {
  const words = messages();
  if (!outgoing.value) return null;
  return (
    <Notice kind="warning" icon="noNetwork" title={words.notSentShort}>
      <p>{words.notSentText}</p>
      <Button size="small" onClick={() => navigate({ page: 'review' })}>
        {words.notSentLook}
      </Button>
    </Notice>
  );
}

/** What became of an order that the guest stopped. */
export function StoppedNotice() {
  const words = messages();
  const mine = stopped.value;
  if (!mine) return null;
  const arrived = findArrived(orders.value, mine);
  const dismiss = (
    <Button size="small" onClick={() => (stopped.value = null)}>
      {words.understood}
    </Button>
  );
  return arrived ? (
    <Notice kind="good" icon="check" title={words.arrivedAfterAll(arrived.ticket)}>
      <p>{words.arrivedAfterAllHint}</p>
      {dismiss}
    </Notice>
  ) : (
    <Notice kind="warning" icon="warning" title={words.stopped}>
      <p>{words.stoppedHint}</p>
      {dismiss}
    </Notice>
  );
}
