import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { isWaiting } from '@comanda/ui/unsent.ts';
import { goTo } from '../../address.ts';
import type { BillProps } from './bill-page.tsx';
import { billWords } from './messages.ts';

/** The next step for a bill: record a payment for what is left, or close the bill and free its table. */
export function BillEnd({ session, bill }: BillProps) {
  const words = billWords();
  const { paying } = session;
  if (bill.status !== 'open') return null;
  const { remaining, currency, table, seating } = bill;
  const isPaid = remaining === '0.00';
  const isEnding = paying.unsent.value.some(
    (entry) => isWaiting(entry) && entry.input.kind === 'end' && entry.input.billId === bill.id,
  );
  const name = table !== null && seating !== null ? words.end(table) : words.endBill;
  if (isPaid)
    return (
      <div class="bill-end">
        <Button kind="primary" size="large" aria-disabled={isEnding} onClick={() => !isEnding && paying.end(bill)}>
          {isEnding ? words.ending : name}
        </Button>
      </div>
    );
  return (
    <div class="bill-end bill-end-both">
      <Button size="large" aria-disabled>
        {words.left(formatMoney(remaining, currency))}
      </Button>
      <Button kind="primary" size="large" onClick={() => goTo(`#/waiter/bill/${bill.id}/pay`)}>
        {words.record}
      </Button>
    </div>
  );
}
