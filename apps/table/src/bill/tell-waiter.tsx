import { amountOfMinor, minorOf } from '@comanda/contracts/bill-preview';
import type { Bill } from '@comanda/contracts/bills';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Notice } from '../notice.tsx';
import { payMessages } from './messages.ts';

type TellWaiterProps = { bill: Bill; amount: string; tip: string; before: string | null; onBack: () => void };

/** The amount to say to the waiter, who takes it in cash or by card. */
export function TellWaiter({ bill, amount, tip, before, onBack }: TellWaiterProps) {
  const words = payMessages();
  const show = (each: string): string => formatMoney(each, bill.currency);
  return (
    <>
      {before !== null && <Notice kind="warning" icon="warning" title={words.wasChanged(show(before), show(amount))} />}
      <section class="bill-card pay-tell" aria-label={words.tellWaiter}>
        <h2>{words.tellWaiter}</h2>
        <p class="pay-tell-amount money" role="status">
          {show(amountOfMinor(minorOf(amount) + minorOf(tip)))}
        </p>
        {tip !== '0.00' && <p>{words.withTip(show(amount), show(tip))}</p>}
        <p class="bill-hint">{words.tellWaiterHint}</p>
        <Button onClick={onBack}>{words.back}</Button>
      </section>
    </>
  );
}
