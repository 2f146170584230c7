import type { BillPayment } from '@comanda/contracts/bill-payments';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { isWaiting } from '@comanda/ui/unsent-entry.ts';
import type { BillProps } from './bill-page.tsx';
import { billWords } from './messages.ts';
import { unservedOf } from './unserved.ts';

/** The next steps for a bill: show it to the guest, then take a payment for what is left, or close it and free its table. */
export function BillEnd({ session, bill, onShow }: BillProps & { onShow: () => void }) {
  const words = billWords();
  const { status, remaining, reserved, payments } = bill;
  const isUnpaid = reserved !== '0.00';
  return (
    <div class="edge wrap gap-2 bill-end">
      <Button size="large" onClick={onShow}>
        {words.show}
      </Button>
      {status === 'open' && remaining === '0.00' && !isUnpaid && <CloseBill session={session} bill={bill} />}
      {status === 'open' && remaining === '0.00' && isUnpaid && payments.some(isUnpaidPix) && (
        <p role="status">{words.pixNotPaid}</p>
      )}
      {status === 'open' && remaining !== '0.00' && (
        <a class="button button-primary button-large" href={`#/waiter/bill/${bill.id}/pay`}>
          <span class="button-text">{words.record}</span>
        </a>
      )}
    </div>
  );
}

const isUnpaidPix = ({ method, status }: BillPayment): boolean => method === 'pix' && status === 'reserved';

/** The button that closes a paid bill and frees its table. If a dish is still to be served, it asks first. */
export function CloseBill({ session: { paying }, bill }: BillProps) {
  const words = billWords();
  const { table, seating } = bill;
  const unserved = unservedOf(bill);
  const isEnding = paying.unsent.value.some(
    (entry) => isWaiting(entry) && entry.input.kind === 'end' && entry.input.billId === bill.id,
  );
  const name = table !== null && seating !== null ? words.end(table) : words.endBill;
  if (unserved > 0 && !isEnding)
    return (
      <AskInPlace
        opener={{ kind: 'primary', size: 'large', children: name }}
        question={words.endAsk(unserved)}
        yes={words.endYes}
        onYes={() => paying.end(bill)}
      />
    );
  return (
    <Button kind="primary" size="large" aria-disabled={isEnding} onClick={() => !isEnding && paying.end(bill)}>
      {isEnding ? words.ending : name}
    </Button>
  );
}
