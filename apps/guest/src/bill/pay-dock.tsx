import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { CallMethod } from '@comanda/contracts/calls';
import type { Bill } from '@comanda/contracts/bills';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { Money } from '@comanda/ui/money.tsx';
import { callMessages } from '../call/messages.ts';
import { useGuest } from '../contexts.ts';
import { payMessages } from './messages.ts';

type PayDockProps = {
  bill: Bill;
  amount: string;
  /** The tip, as a decimal amount; null if the typed text isn't an amount. */ tip: string | null;
  /** Pays by Pix; null if the restaurant takes none. */
  onPix: (() => void) | null;
  /** Pays from an account; null if this guest has none. */
  onAccount: (() => void) | null;
};

/** The bar at the bottom, with the selected amount and the ways in which this guest can pay it. */
export function PayDock({ bill: { currency }, amount, tip, onPix, onAccount }: PayDockProps) {
  const words = payMessages();
  const { stops } = useGuest();
  const total = fromMinor(toMinor(amount) + toMinor(tip ?? '0.00'));
  const isOff = tip === null;
  const isStopped = stops.state.value.transfers !== null;
  return (
    <footer class="dock pay-dock">
      <p class="wrap pay-total">
        <span>{words.yourPart}</span> <Money>{formatMoney(total, currency)}</Money>
      </p>
      {tip !== null && tip !== '0.00' && (
        <p class="dim">{words.withTip(formatMoney(amount, currency), formatMoney(tip, currency))}</p>
      )}
      {onPix && (
        <Button kind="primary" size="large" aria-disabled={isOff} onClick={onPix}>
          {words.byPix}
        </Button>
      )}
      <ByWaiter
        amount={amount}
        note={tip === null || tip === '0.00' ? null : words.plusTip(formatMoney(tip, currency))}
        currency={currency}
        isOff={isOff}
        isFirst={onPix === null}
      />
      {onAccount && (
        <Button kind="quiet" aria-disabled={isOff || isStopped} onClick={onAccount}>
          {words.byAccount}
        </Button>
      )}
    </footer>
  );
}

type ByWaiterProps = {
  /** The amount without the tip, because the bill is paid with it. */ amount: string;
  /** What the waiter reads about the tip; null if there is none. */ note: string | null;
  currency: string;
  isOff: boolean;
  /** True if no way stands above. */ isFirst: boolean;
};

/** Calls a waiter who takes the amount by card or in cash, and says whom the waiter was told about. */
function ByWaiter({ amount, note, currency, isOff, isFirst }: ByWaiterProps) {
  const words = payMessages();
  const { calls, seat } = useGuest();
  const { isBusy, run } = useAction();
  if (!seat.isSeated.value || seat.table.value === null) return <p class="dim">{words.wave}</p>;
  const called = calls.waiting.value.find((each) => each.kind === 'bill' && each.amount != null);
  const isTold = called?.amount === amount && called.note === note;
  const failure = calls.failure.value;
  const call = async (method: CallMethod): Promise<void> => {
    if (isTold && called?.method === method) return;
    if (called && !(await calls.takeBack(called))) return;
    await calls.make({ kind: 'bill', method, amount, ...(note !== null && { note }) });
  };
  return (
    <div class="stack gap-2 pay-waiter" role="group" aria-label={words.byWaiter}>
      {failure !== null && (
        <p class="pay-waiter-failed" role="alert">
          {callMessages().failures[failure]}
        </p>
      )}
      <p class="dim" role="status">
        {called?.amount == null
          ? words.byWaiter
          : isTold
            ? words.called[called.status === 'taken' ? 'taken' : 'open']
            : words.toldOther([formatMoney(called.amount, currency), called.note].filter(Boolean).join(' '))}
      </p>
      <div class="pay-waiter-ways">
        {(['card', 'cash'] as const).map((method) => {
          const isChosen = isTold && called?.method === method;
          return (
            <Button
              key={method}
              kind={isFirst && !isTold ? 'primary' : 'secondary'}
              icon={isChosen && <Icon name="check" />}
              aria-pressed={isChosen}
              aria-disabled={isOff || isBusy}
              onClick={() => void run(() => call(method))}
            >
              {callMessages().methods[method]}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
