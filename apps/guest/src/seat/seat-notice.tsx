import { Button } from '@comanda/ui/button.tsx';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { ScanDrawing } from '@comanda/ui/drawings.tsx';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { Notice } from '../notice.tsx';
import './seat-notice.css';

/** Says why the guest can't order from this phone, and what to do. */
export function SeatNotice() {
  const words = messages();
  const { table, scanTrouble, scanFailure, isScanning, retryScan } = useGuest().seat;
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
