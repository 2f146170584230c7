import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { callMessages } from '../call/messages.ts';
import { CallWithBill } from '../call/call-with-bill.tsx';
import { useGuest } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import { payMessages } from './messages.ts';

type TellWaiterProps = { bill: Bill; amount: string; tip: string; before: string | null; onBack: () => void };

/** Calls a waiter for a payment in cash or by card, and shows the amount to tell the waiter. */
export function TellWaiter({ bill, amount, tip, before, onBack }: TellWaiterProps) {
  const words = payMessages();
  const { seat } = useGuest();
  const show = (each: string): string => formatMoney(each, bill.currency);
  const total = show(fromMinor(toMinor(amount) + toMinor(tip)));
  return (
    <>
      {before !== null && <Notice kind="warning" icon="warning" title={words.wasChanged(show(before), show(amount))} />}
      <section class="bill-card pay-tell" aria-label={words.tellWaiter}>
        <h2>{words.tellWaiter}</h2>
        <p class="pay-tell-amount money" translate={false} role="status">
          {total}
        </p>
        {tip !== '0.00' && <p>{words.withTip(show(amount), show(tip))}</p>}
        {seat.isSeated.value ? (
          <CallWithBill
            note={noteOf({ total, isAll: amount === bill.remaining, tip: tip === '0.00' ? null : show(tip) })}
          />
        ) : (
          <p class="bill-hint">{words.tellWaiterHint}</p>
        )}
        <Button onClick={onBack}>{words.back}</Button>
      </section>
    </>
  );
}

type Chosen = { total: string; isAll: boolean; tip: string | null };

/** Describes the selected payment for the waiter. Amounts are formatted in this guest's language. */
function noteOf({ total, isAll, tip }: Chosen): string {
  const words = callMessages();
  return [isAll ? words.allThatIsLeft(total) : words.part(total), tip !== null && words.tipInIt(tip)]
    .filter(Boolean)
    .join(', ');
}
