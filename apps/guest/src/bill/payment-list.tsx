import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { useGuest } from '../contexts.ts';
import { hrefOf } from '../router.ts';
import { payMessages } from './messages.ts';
import { partText, payerOf } from './part-text.ts';
import './payment-list.css';

/** Shows who pays which part of the bill. Every guest can open a Pix code that is not paid yet. */
export function PaymentList({ bill }: { bill: Bill }) {
  const { seat } = useGuest();
  const shown = bill.payments.filter(({ status }) => activeStatuses.has(status));
  if (shown.length === 0) return null;
  return (
    <section class="bill-card" aria-label={billMessages().payments}>
      <h2 class="payment-list-title">{billMessages().payments}</h2>
      <ul>
        {shown.map((payment) => (
          <Payment key={payment.id} payment={payment} bill={bill} isOwn={seat.isOwn} />
        ))}
      </ul>
    </section>
  );
}

type PaymentProps = { payment: BillPayment; bill: Bill; isOwn: (userId: number) => boolean };

function Payment({ payment, bill, isOwn }: PaymentProps) {
  const words = payMessages();
  const { id, method, status, total, pix } = payment;
  const isPaid = status === 'paid';
  const state = isPaid
    ? pix?.confirmed_by === 'staff'
      ? 'confirmed'
      : 'paid'
    : status === 'refunding'
      ? 'refunding'
      : 'reserved';
  const name = [payerOf(payment, bill, isOwn), billMessages().methods[method]].filter(Boolean).join(' · ');
  return (
    <li class={classNames('row wrap payment-list-row', isPaid && 'payment-list-paid')}>
      <b>
        <bdi>{name}</bdi>
      </b>
      <Money>{formatMoney(total, bill.currency)}</Money>
      <span class="row gap-2 payment-list-part">
        <Icon name={isPaid ? 'check' : 'clock'} size={20} />
        <span>
          {words.paymentStates[state]} · {partText(payment, bill)}
        </span>
      </span>
      {method === 'pix' && status === 'reserved' && (
        <a
          class="button button-secondary button-small"
          href={hrefOf({ page: 'pay', part: 'pix', id })}
          aria-label={billMessages().showCodeOf(name)}
        >
          <span class="button-text">{billMessages().showCode}</span>
        </a>
      )}
    </li>
  );
}
