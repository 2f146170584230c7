import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { callMessages } from '../call/messages.ts';
import { useGuest } from '../contexts.ts';
import { pixMessages } from './pix-messages.ts';

/** Where staff confirm payments, a guest who has paid calls a waiter, who looks into the bank's app. */
export function CallAfterPaying({ amount }: { amount: string }) {
  const words = pixMessages();
  const { calls, seat } = useGuest();
  const { isBusy, run } = useAction();
  if (!seat.isSeated.value || seat.table.value === null) return null;
  const open = calls.waiting.value.find((call) => call.kind === 'bill' && call.amount != null);
  // A call to pay by card or in cash brings a waiter who knows of no Pix.
  const called = open?.method === null && open.amount === amount ? open : undefined;
  const failure = calls.failure.value;
  const call = async (): Promise<void> => {
    if (open && !(await calls.takeBack(open))) return;
    await calls.make({ kind: 'bill', amount, note: words.callNote });
  };
  return (
    <>
      {failure !== null && <p role="alert">{callMessages().failures[failure]}</p>}
      {called ? (
        <p class="dim pix-quiet" role="status">
          {called.status === 'taken' ? words.waiterComing : words.waiterCalled(formatTime(called.created_at))}
        </p>
      ) : (
        <Button icon={<Icon name="bell" />} aria-disabled={isBusy} onClick={() => void run(call)}>
          {words.callWaiter}
        </Button>
      )}
    </>
  );
}
