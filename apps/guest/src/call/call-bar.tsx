import type { TableCall } from '@comanda/contracts/calls';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest } from '../contexts.ts';
import './call-bar.css';
import { callMessages } from './messages.ts';

/** Shows on every page which calls were sent, and that a waiter is on the way. A tap cancels a call. */
export function CallBar() {
  const words = callMessages();
  const { seat, calls, bills } = useGuest();
  const currency = bills.value?.current.value?.currency;
  const isAtTable = seat.isSeated.value && seat.table.value !== null;
  const waiting = isAtTable ? calls.waiting.value : [];
  // A call that failed is reported where it was made.
  const hasFailed = waiting.length > 0 && calls.failure.value === 'takeBack';
  return (
    <div class="call-bar" role="status" aria-label={words.yours}>
      {waiting.map((call) => (
        <p key={call.id} class={`row wrap gap-2 edge call-bar-line call-bar-${call.status}`}>
          <Icon name={call.status === 'taken' ? 'check' : 'bell'} />
          <span>{textOf(call, currency)}</span>
          <Button
            kind="quiet"
            size="small"
            aria-label={words.cancelThis}
            aria-disabled={calls.isBusy.value}
            onClick={() => void (calls.isBusy.value || calls.takeBack(call))}
          >
            {words.cancel}
          </Button>
        </p>
      ))}
      {hasFailed && (
        <p class="edge row wrap gap-2 call-bar-line" role="alert">
          {words.failures.takeBack}
        </p>
      )}
    </div>
  );
}

/** Says what was called for. The currency is known once the bill is loaded. */
function textOf({ kind, status, amount, created_at: at }: TableCall, currency: string | undefined): string {
  const words = callMessages();
  if (status === 'taken') return words.coming;
  if (amount == null || currency === undefined) return words.sent[kind](formatTime(at));
  return words.toPay(formatTime(at), formatMoney(amount, currency));
}
