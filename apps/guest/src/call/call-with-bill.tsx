import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { callMessages } from './messages.ts';
import './call.css';

/** Calls a waiter to take the payment; `note` tells the waiter how much. Only guests at a table see this. */
export function CallWithBill({ note }: { note: string }) {
  const words = callMessages();
  const { calls } = useGuest();
  const failure = calls.failure.value;
  const { isBusy, run } = useAction();
  const called = calls.waiting.value.find(({ kind }) => kind === 'bill');
  return (
    <>
      <p class="call-state call-state-alone" role="status" aria-label={messages().call}>
        {called && (called.status === 'taken' ? words.coming : words.called(formatTime(called.created_at)))}
      </p>
      {failure !== null && (
        <p class="call-failed" role="alert">
          {words.failures[failure]}
        </p>
      )}
      {!called && (
        <div class="call-with-bill">
          {(['cash', 'card'] as const).map((method) => (
            <Button
              key={method}
              kind="primary"
              aria-disabled={isBusy}
              onClick={() => void run(() => calls.make({ kind: 'bill', method, note }))}
            >
              {words.callFor[method]}
            </Button>
          ))}
        </div>
      )}
      <p class="call-hint">{called ? words.sayAmount : words.nothingPaid}</p>
    </>
  );
}
