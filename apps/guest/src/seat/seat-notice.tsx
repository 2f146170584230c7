import { Button } from '@comanda/ui/button.tsx';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { readFailureWords } from '@comanda/ui/read-failure-words.ts';
import { ScanDrawing } from '@comanda/ui/drawings.tsx';
import { useGuest } from '../contexts.ts';
import type { GuestSession } from '../guest-session.ts';
import { messages } from '../messages.ts';
import { Notice } from '../notice.tsx';
import './seat-notice.css';

/** Says why the guest can't order from this phone, and what to do. After a paid visit, says goodbye instead. */
export function SeatNotice() {
  const words = messages();
  const guest = useGuest();
  const { table, scanTrouble, scanFailure, isScanning, retryScan } = guest.seat;
  const trouble = scanTrouble.value;
  if (trouble === 'ended' && isSettled(guest))
    return (
      <Notice kind="good" icon="check" title={words.goodbye}>
        <p>{words.goodbyeText}</p>
      </Notice>
    );
  if (trouble !== null) {
    const { title, text } = words.scanAgain[trouble];
    const requestId =
      trouble === 'failed' && scanFailure.value ? readFailureWords(scanFailure.value).requestId : undefined;
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
    <section class="edge row wrap gap-4 scan-notice">
      <ScanDrawing />
      <div>
        <h2>{words.scanTitle}</h2>
        <p>{words.scanText}</p>
      </div>
    </section>
  );
}

/** Returns true if the bill is paid and nothing is left to send. */
export function isSettled({ bills, basket, orderSession }: GuestSession): boolean {
  const { sending } = orderSession.value ?? {};
  const bill = bills.value?.current.value;
  const isPaid = bill?.status === 'closed' || (bill?.remaining === '0.00' && bill.reserved === '0.00');
  return isPaid && basket.count.value === 0 && !sending?.outgoing.value && !sending?.ended.value.length;
}
